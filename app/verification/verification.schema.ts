import { z } from "zod";
import type { Status } from "#app/db/enumerations.ts";
import { clearableText, email, text } from "#app/forms/fields.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { ofStatements, type Stated } from "#app/records/evidence.ts";
import { optionalChoice, optionalDate } from "#app/records/record-fields.ts";
import {
  type NewSupervisor,
  type SupervisorNeed,
  supervisorForm,
  supervisorNeeding,
} from "#app/supervisors/supervisor.schema.ts";
import { itemKey } from "./record.ts";

/** The most records of a request, and the longest reason. */
export const ITEMS_MAX = 100;
export const REASON_MAX = 500;

/** The statuses of records that a supervisor can be asked to verify. */
export const ASKABLE = ["pending", "declined"] as const satisfies Status[];

export const supervisorName = text({ required: "Name is required", label: "Name" });

/** Why a record is declined: 1 to 500 characters. */
export const reason = text({ required: "Give a reason", label: "Reason", max: REASON_MAX });

/** The most methods of a certificate. */
const CERTIFIED_METHODS_MAX = 20;

/**
 * The fields in which a supervisor may describe their certificate, as a form sends them: the methods are one text with
 * commas.
 */
export const certificationFields = {
  scheme: clearableText("Scheme").optional(),
  methods: clearableText("Methods").optional(),
  level: clearableText("Level").optional(),
  number: clearableText("Certificate number").optional(),
  validUntil: optionalDate("Valid until"),
};

/** Their statements, as a form sends them. */
export const statementFields = ofStatements(
  ({ label, choices }) => optionalChoice(label, Object.keys(choices) as [string, ...string[]]), // not empty
);

/** Their statements, as a call sends them. */
const statements = ofStatements(({ choices }, name) => {
  const names = Object.keys(choices);
  return z.enum(names, { error: `${name} must be one of ${names.join(", ")}` }).nullish();
});

const certification = z.object(
  {
    ...certificationFields,
    methods: z
      .array(text({ required: "A method must have a name", label: "Method" }), {
        error: "methods must be a list of texts",
      })
      .max(CERTIFIED_METHODS_MAX, `A certificate has at most ${CERTIFIED_METHODS_MAX} methods`)
      .optional(),
  },
  { error: "certification must be an object with scheme, methods, level, number and validUntil" },
);

/** The certificate of a form, with its methods as a list. */
export function typedCertification({
  methods,
  ...fields
}: z.output<z.ZodObject<typeof certificationFields>>): Stated | undefined {
  const list = (methods ?? "").split(/[,;]/).map((method) => method.trim());
  return certificationOf({ ...fields, methods: list.filter(Boolean).slice(0, CERTIFIED_METHODS_MAX) });
}

/** Returns the supervisor's statement about their certificate: the fields that are not blank; undefined if all are. */
export function certificationOf(fields: z.output<typeof certification> | undefined): Stated | undefined {
  const stated = Object.entries(fields ?? {}).filter(([, value]) => value && value.length > 0);
  return stated.length > 0 ? Object.fromEntries(stated) : undefined;
}

const NOT_AN_ID = "id must be a whole number from 1";

/** The type and id of a record. */
const item = {
  type: z.enum(
    KINDS.map(({ name }) => name),
    { error: "type must name a kind of record" },
  ),
  id: z.number({ error: "id must be a number" }).int(NOT_AN_ID).positive(NOT_AN_ID),
};

/** A list of records, each at most once, of a request or of up to `max`. */
function list<Item extends z.ZodType<{ type: string; id: number }>>(schema: Item, name: string, max = ITEMS_MAX) {
  return z
    .array(z.unknown(), { error: `${name} must be a list` })
    .max(max, max === ITEMS_MAX ? `A request has at most ${max} records` : `${name} has at most ${max} records`)
    .pipe(z.array(schema))
    .refine((items) => new Set(items.map(({ type, id }) => itemKey(type, id))).size === items.length, {
      message: `${name} has a record twice`,
    });
}

const NOT_AN_ITEM = "A record is an object with type and id";

const CHOOSE_RECORDS = "Choose at least one record";

/** The records of a body: at least one, of a request or up to `max`. */
function recordList(max = ITEMS_MAX) {
  return list(z.object(item, { error: NOT_AN_ITEM }), "records", max).refine((some) => some.length > 0, {
    message: CHOOSE_RECORDS,
  });
}

const hash = z
  .string({ error: "shown must be text" })
  .meta({ maxLength: 70, description: "64 hexadecimal digits, or as an ETag" });

/**
 * A supervisor's answers: every record that is neither declined nor skipped is verified. `shown` is the hash of what they
 * were shown: of one record, which may be quoted as in an ETag, or a list of hashes.
 */
export const answersSchema = z.object(
  {
    supervisorName,
    certification: certification.optional(),
    ...statements,
    declined: list(z.object({ ...item, reason }, { error: NOT_AN_ITEM }), "declined").optional(),
    skipped: list(z.object(item, { error: NOT_AN_ITEM }), "skipped").optional(),
    shown: z
      .union(
        [
          hash.transform((tag) => tag.replace(/^(?:W\/)?"(.*)"$/, "$1")),
          list(z.object({ ...item, hash }, { error: NOT_AN_ITEM }), "shown"),
        ],
        {
          error: "shown must be text, or a list of objects with type, id and hash",
        },
      )
      .optional(),
  },
  { error: "A confirmation is an object with supervisorName" },
);

export type AnswersBody = z.output<typeof answersSchema>;

/** The body that declines all that waits. */
export const declineSchema = z.object(
  { supervisorName, reason },
  { error: "A decline is an object with supervisorName and reason" },
);

const disownReason = clearableText("Reason", { max: REASON_MAX });

/** The most records of a notice that an answer names. Without names it means all, however many they are. */
export const BOXES_MAX = 1_000;

const noticed = recordList(BOXES_MAX);

/** The bodies that disown or confirm records of a notice: those that are named, else all. */
export const disownSchema = z.object(
  { reason: disownReason.optional(), records: noticed.optional() },
  { error: "A disowning is an object, with reason and records if you like" },
);
export const confirmSchema = z.object(
  { records: noticed.optional() },
  { error: "A confirmation is an object, with records if you like" },
);

/** A record in a page's form, `{kind}:{id}`. The box of a record that is not checked is missing from the list. */
const box = z
  .object({ key: z.string() })
  .transform(({ key }) => ({ type: key.split(":")[0] ?? "", id: Number(key.split(":")[1]) }));

/** The records whose boxes are checked in a form, as `records` parses them in JSON. */
function checkedBoxes<Records extends z.ZodType<unknown, unknown[]>>(records: Records) {
  return z
    .array(z.unknown(), { error: CHOOSE_RECORDS })
    .optional()
    .transform((boxes) => (boxes ?? []).filter((one) => one !== undefined && one !== null))
    .pipe(z.array(box.transform((record): unknown => record)))
    .pipe(records);
}

/** The keys of the records that were checked in a form, from its sent values. */
export function checkedKeys(sent: Record<string, unknown> | null | undefined): Set<string> {
  const boxes = Array.isArray(sent?.records) ? (sent.records as unknown[]) : [];
  return new Set(
    boxes.flatMap((box) => {
      const key = typeof box === "object" && box !== null && "key" in box ? box.key : null;
      return typeof key === "string" ? [key] : [];
    }),
  );
}

/** The reason of a form that was sent by the button for a mistake: so it says, and then what was typed. */
function withMistake<Sent extends z.output<typeof disownFields>>({ mistake, reason, ...sent }: Sent) {
  const words = mistake ? ["I verified it by mistake", reason].filter(Boolean).join(": ") : reason;
  return { ...sent, reason: words && [...words].slice(0, REASON_MAX).join("") };
}

/** The forms of the pages, in which the records are chosen by boxes, or answered as a whole. */
const disownFields = z.object({ reason: disownReason.nullish(), mistake: z.string().optional() });
export const disownForm = disownFields.extend({ records: checkedBoxes(noticed) }).transform(withMistake);
export const disownWholeForm = disownFields.transform(withMistake);
export const confirmForm = z.object({ records: checkedBoxes(noticed) });
export const confirmWholeForm = z.object({});

/** The address whose inbox is requested. */
export const inboxSchema = z.object(
  { email: email("Please enter a valid email address") },
  { error: "A question is an object with email" },
);

const CHOOSE = "Choose a supervisor";

/** An id, for the description of the API. */
const ID = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The body of the API call. A number may arrive as text. */
export const requestSchema = z.object(
  {
    supervisorId: z
      .union([z.number().meta(ID), z.string().regex(/^\d+$/, CHOOSE).transform(Number)], { error: CHOOSE })
      .refine((id) => Number.isSafeInteger(id) && id > 0, { message: CHOOSE }),
  },
  { error: "A request is an object with supervisorId" },
);

/** The dialog's form if a saved supervisor is chosen. */
export const savedSupervisorForm = z.object({ supervisor: requestSchema.shape.supervisorId });

/** The dialog's form if a new supervisor is chosen, who must have some fields. */
export function newSupervisorForm(needs: readonly SupervisorNeed[]) {
  return supervisorNeeding(needs).extend({ supervisor: z.literal("new") });
}

/** Whether a new one is chosen in a form. */
export function isNewSupervisor(form: Pick<FormData, "get">): boolean {
  return form.get("supervisor") === "new";
}

/** The chosen supervisor, saved or new, with the key of the form, if there is one. */
export type Choice = { key?: string | null } & ({ supervisorId: number } | { newSupervisor: NewSupervisor });

const records = recordList();

const { supervisorId } = requestSchema.shape;

/** The body of the call that asks a supervisor to verify several records. */
export const newRequestSchema = z.object(
  { supervisorId, records },
  { error: "A request is an object with supervisorId and records" },
);

/** The body that turns the reminders of a request on or off. */
export const remindersSchema = z.object(
  { reminders: z.boolean({ error: "reminders must be true or false" }) },
  { error: "A change is an object with reminders" },
);

const checked = checkedBoxes(records);

/** The page's form if a saved supervisor is chosen: that of the dialog, with the records … */
export const savedRequestForm = savedSupervisorForm.extend({ records: checked });

/**
 * Returns the schema of the form if a new supervisor is chosen. The required fields depend on the records:
 * `requestRecords` says which are missing.
 */
export function newRequestForm(sent: Pick<FormData, "get">) {
  return supervisorForm(sent).extend({ supervisor: z.literal("new"), records: checked });
}

/** The records of a request, and the chosen supervisor. */
export type NewRequest = Choice & { records: z.output<typeof records> };
