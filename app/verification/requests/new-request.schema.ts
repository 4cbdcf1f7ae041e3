import { z } from "zod";
import { supervisorForm } from "#app/supervisors/supervisor.schema.ts";
import {
  type Choice,
  checkedBoxes,
  recordList,
  requestSchema,
  savedSupervisorForm,
} from "#app/verification/verification.schema.ts";

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

/** … and if a new one is. What they need depends on the records: `requestRecords` says what is missing. */
export function newRequestForm(sent: Pick<FormData, "get">) {
  return supervisorForm(sent).extend({ supervisor: z.literal("new"), records: checked });
}

/** The records that a supervisor is asked to verify, and the chosen supervisor. */
export type NewRequest = Choice & { records: z.output<typeof records> };
