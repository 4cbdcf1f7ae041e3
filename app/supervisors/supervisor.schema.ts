import { z } from "zod";
import { CERTIFICATION_LEVELS } from "#app/db/enumerations.ts";
import { clearableText, email, text } from "#app/forms/fields.ts";

/** What a kind of record can ask of its supervisor besides a name and an email address, and the message without it. */
export const NEEDED_MESSAGES = {
  phone: "Phone is required",
  certificationLevel: `Choose ${CERTIFICATION_LEVELS.slice(0, -1).join(", ")} or ${CERTIFICATION_LEVELS.at(-1)}`,
  company: "Company is required",
  role: "Role is required",
} as const;
export type SupervisorNeed = keyof typeof NEEDED_MESSAGES;

/** What whoever confirms hours of work has (spec section 5); of who gave a course or a test a role says enough. */
export const NEEDED_FOR_HOURS = ["phone", "certificationLevel", "company"] as const satisfies SupervisorNeed[];
export const NEEDED_FOR_EVIDENCE = ["role"] as const satisfies SupervisorNeed[];

function optional(label: string) {
  return clearableText(label)
    .optional()
    .transform((value) => value ?? null);
}

const fields = z.object(
  {
    name: text({ required: "Name is required", label: "Name" }),
    email: email("Invalid email address"),
    phone: optional("Phone"),
    certificationLevel: optional("Certification level").pipe(
      z.enum(CERTIFICATION_LEVELS, { error: NEEDED_MESSAGES.certificationLevel }).nullable(),
    ),
    company: optional("Company"),
    role: optional("Role"),
  },
  { error: "A supervisor is an object with name, email, and phone, certificationLevel and company, or role" },
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

/** A supervisor who has what is needed. Messages for other fields do not hide that one is missing. */
function withNeeds(needsOf: (supervisor: NewSupervisor) => readonly SupervisorNeed[]) {
  return fields.superRefine(
    (supervisor, { addIssue }) => {
      for (const name of missingOf(supervisor, needsOf(supervisor)))
        addIssue({ code: "custom", path: [name], message: NEEDED_MESSAGES[name] });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  );
}

/** A supervisor of hours, or with a role one who confirms training and certificates alone. */
export const supervisorSchema = withNeeds(({ role }) => (role ? [] : NEEDED_FOR_HOURS));

/** A supervisor in the dialog of a record that needs some fields. */
export function supervisorNeeding(needs: readonly SupervisorNeed[]) {
  return withNeeds(() => needs);
}
