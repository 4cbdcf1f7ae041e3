import { z } from "zod";
import { METHODS, type Method } from "#app/db/enumerations.ts";
import { messageFor, requiredRule, textRule } from "#app/forms/field-rules.server.ts";
import type { TextRule } from "#app/forms/field-rules.ts";
import { text } from "#app/forms/fields.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { type Details, detailsSchema, ENTRY_DETAILS, withNestedDetails } from "#app/records/details.ts";
import { HOURS_MAX, HOURS_MIN } from "#app/records/hours.ts";
import type { AnyRecord } from "#app/records/kind.ts";
import { calendarDate, someHours, typedInForm } from "#app/records/record-fields.ts";
import { methodLabel } from "./methods.ts";

/** The most entries of one form or call. */
export const ENTRIES_MAX = 500;

const method = z
  .string({ error: "Method is required" })
  .trim()
  .min(1, { error: "Method is required", abort: true })
  .pipe(z.enum(METHODS, { error: `Method must be one of ${METHODS.map(methodLabel).join(", ")}` }));

/** Whether the entry stands for hours of earlier years. A form sends text. Without it an entry is no such entry. */
const broughtForward = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], {
    error: "broughtForward must be true or false",
  })
  .optional();

export const entrySchema = z.object(
  {
    date: calendarDate("Date"),
    location: text({ required: "Location is required", label: "Location" }),
    method,
    hours: someHours,
    broughtForward,
    details: detailsSchema(ENTRY_DETAILS),
  },
  { error: "An entry is an object with date, location, method and hours" },
);

/** An entry in a form, where hours may have a decimal comma. */
export const typedEntrySchema = entrySchema.extend({ hours: typedInForm(someHours) });

/** The entries of one submission. Their number is checked first, because a body can contain a hundred thousand. */
function listOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(z.unknown(), { error: "Add at least one entry" })
    .min(1, "Add at least one entry")
    .max(ENTRIES_MAX, `At most ${ENTRIES_MAX} entries can be saved at once. Save these in two parts.`)
    .pipe(z.array(schema));
}

/** The body of the API call: a list or a single entry. */
export const newEntriesSchema = z.preprocess(
  (body) => (Array.isArray(body) ? body : [body]).map(withNestedDetails),
  listOf(entrySchema),
);

export const entryFormSchema = z.object({ entries: listOf(typedEntrySchema) });

export const entryRows: FormList = {
  name: "entries",
  columns: [...Object.keys(entrySchema.shape), ...ENTRY_DETAILS.map(({ name }) => `details.${name}`)],
  // To show a form with an error in each of 1,000 rows took 3.6 s.
  rowsMax: ENTRIES_MAX + 10,
};

export type NewEntry = z.output<typeof entrySchema>;

/** An OJT entry as its owner sees it. */
export type Entry = AnyRecord & {
  date: string;
  location: string;
  method: Method;
  hours: number;
  broughtForward: boolean;
  details: Details;
};

/** The checks that the browser makes before it sends a row. */
export interface EntryRules {
  text: Record<"date" | "location" | "method", TextRule>;
  hours: { min: number; tooFew: string; max: number; tooMany: string };
}

const fields = entrySchema.shape;

/** The schema's limits and messages, for the browser. */
export const entryRules: EntryRules = {
  text: { date: requiredRule(fields.date), location: textRule(fields.location), method: requiredRule(fields.method) },
  hours: {
    min: HOURS_MIN,
    tooFew: messageFor(fields.hours, 0),
    max: HOURS_MAX,
    tooMany: messageFor(fields.hours, HOURS_MAX + 1),
  },
};
