import { z } from "zod";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { email, optionalText, text } from "#app/forms/fields.ts";

/**
 * The facts that a kind of record can require of its supervisor besides a name and an email address, and the message
 * without each.
 */
export const NEEDED_MESSAGES = {
  phone: "Phone is required",
  certificationLevel: `Choose ${CERTIFICATION_LEVELS.slice(0, -1).join(", ")} or ${CERTIFICATION_LEVELS.at(-1)}`,
  company: "Company is required",
  role: "Role is required",
} as const;
export type SupervisorNeed = keyof typeof NEEDED_MESSAGES;

/** The facts required of a supervisor of hours (spec section 5). For courses and tests a role is enough. */
export const NEEDED_FOR_HOURS = ["phone", "certificationLevel", "company"] as const satisfies SupervisorNeed[];
export const NEEDED_FOR_EVIDENCE = ["role"] as const satisfies SupervisorNeed[];

const NOT_A_SUPERVISOR = {
  error: "A supervisor is an object with name, email, and phone, certificationLevel and company, or role",
};

const fields = z.object(
  {
    name: text({ required: "Name is required", label: "Name" }),
    email: email("Invalid email address"),
    phone: optionalText("Phone"),
    certificationLevel: optionalText("Certification level").pipe(
      z.enum(CERTIFICATION_LEVELS, { error: NEEDED_MESSAGES.certificationLevel }).nullable(),
    ),
    company: optionalText("Company"),
    role: optionalText("Role"),
  },
  NOT_A_SUPERVISOR,
);

/** The fields one by one. */
export const supervisorShape = fields.shape;
/** The body of a partial update. */
export const supervisorUpdate = fields.partial();

export type NewSupervisor = z.output<typeof fields>;

/** The fields of `needs` that a supervisor does not have. */
export function missingOf<Need extends SupervisorNeed>(
  supervisor: Partial<Record<SupervisorNeed, string | null>>,
  needs: readonly Need[],
): Need[] {
  return needs.filter((name) => supervisor[name] === null);
}

/** The same in words, for records that need `needs`: "phone, certification level". Where a role is enough nothing is missing. */
export function missingText(supervisor: Parameters<typeof missingOf>[0], needs: readonly SupervisorNeed[]): string {
  const missing = needs.includes("role") ? [] : missingOf(supervisor, needs);
  return missing.map((name) => (name === "certificationLevel" ? "certification level" : name)).join(", ");
}

/** The fields that must be filled in: with a role those for evidence, without one those for hours. */
function needsWith(role: unknown): readonly SupervisorNeed[] {
  return typeof role === "string" && role.trim() !== "" ? NEEDED_FOR_EVIDENCE : NEEDED_FOR_HOURS;
}

const REQUIRED = {
  phone: text({ required: NEEDED_MESSAGES.phone, label: "Phone" }),
  certificationLevel: z.enum(CERTIFICATION_LEVELS, { error: NEEDED_MESSAGES.certificationLevel }),
  company: text({ required: NEEDED_MESSAGES.company, label: "Company" }),
  role: text({ required: NEEDED_MESSAGES.role, label: "Role" }),
};

/** A supervisor in a form in which some fields must be filled in: all messages come at once. */
export function supervisorNeeding(needs: readonly SupervisorNeed[]): typeof fields {
  const needed = Object.fromEntries(needs.map((name) => [name, REQUIRED[name]]));
  return z.object({ ...fields.shape, ...needed }, NOT_A_SUPERVISOR) as typeof fields; // what is required is never null
}

/** A supervisor of hours, or with a role one who confirms training and certificates alone. */
export const supervisorSchema = z.unknown().transform((sent, { addIssue }): NewSupervisor => {
  const role = typeof sent === "object" && sent !== null && "role" in sent ? sent.role : null;
  const read = supervisorNeeding(needsWith(role)).safeParse(sent);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) addIssue({ code: "custom", path, message });
  return z.NEVER;
});

/** The same for descriptions: what is sent is one of two objects. */
export const supervisorSent = z.union([supervisorNeeding(NEEDED_FOR_HOURS), supervisorNeeding(NEEDED_FOR_EVIDENCE)]);

/** The form of a supervisor whose records are not known: a role that is filled in is enough. */
export function supervisorForm(sent: Pick<FormData, "get">): typeof fields {
  return supervisorNeeding(needsWith(sent.get("role")));
}
