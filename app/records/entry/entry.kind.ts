import { z } from "zod";
import { formatDate } from "#app/calendar-date.ts";
import { METHODS, type Method } from "#app/db/enumerations.ts";
import type { TextRule } from "#app/forms/field-rules.ts";
import { messageFor, requiredRule, text, textRule } from "#app/forms/fields.ts";
import type { FormList } from "#app/forms/read-form.server.ts";
import { searchText } from "#app/plain-text.ts";
import { type Details, detailsSchema, ENTRY_DETAILS, withNestedDetails } from "#app/records/details.ts";
import { formatHours, HOURS_MAX, HOURS_MIN, toHundredths } from "#app/records/hours.ts";
import {
  type AnyRecord,
  BROUGHT_FORWARD,
  DETAILS,
  HOURS_HEADINGS,
  type Kind,
  LOCATION_HEADINGS,
  METHOD_HEADINGS,
  WORK_STATED,
} from "#app/records/kind.ts";
import { calendarDate, type HasFields, hoursInForm, someHours, withTextLimit } from "#app/records/record-fields.ts";
import { NEEDED_FOR_HOURS } from "#app/supervisors/supervisor.schema.ts";
import { lineWith } from "#app/ui/page.tsx";
import { methodLabel } from "./methods.ts";

/** The most entries of one form or call. */
export const ENTRIES_MAX = 500;

/** A method. The message about another one names all of them, in a form by their labels. */
function method(nameOf: (method: Method) => string) {
  return z
    .string({ error: "Method is required" })
    .trim()
    .min(1, { error: "Method is required", abort: true })
    .pipe(z.enum(METHODS, { error: `Method must be one of ${METHODS.map(nameOf).join(", ")}` }));
}

/** Whether the entry stands for hours of earlier years. A form sends text. Without the field it does not. */
const broughtForward = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], {
    error: "broughtForward must be true or false",
  })
  .optional();

export const entryFields = z.object(
  {
    date: calendarDate("Date"),
    location: text({ required: "Location is required", label: "Location" }),
    method: method((code) => code),
    hours: someHours,
    broughtForward,
    details: detailsSchema(ENTRY_DETAILS),
  },
  { error: "An entry is an object with date, location, method and hours" },
);

export const entrySchema = withTextLimit(entryFields, (): HasFields => entryKind);

/** An entry in a form, where hours may have a decimal comma, and methods have their labels. */
export const typedEntrySchema = entrySchema.safeExtend({
  method: method(methodLabel),
  hours: hoursInForm(someHours),
});

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

/** The form of entries, with the shift card that has filled it in. */
export const entryFormSchema = z.object({ entries: listOf(typedEntrySchema), card: z.string().optional() });

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

/** OJT entries: hours of one day with one NDT method. */
export const entryKind: Kind<Entry, NewEntry> = {
  name: "entry",
  partName: "entries",
  jsonKey: "entry",
  listName: "entries",
  fields: [
    {
      name: "date",
      type: "date",
      stored: "date",
      headings: [
        ...["date", "job date", "work date", "date of work", "date worked", "shift date", "inspection date"],
        ...["test date", "activity date", "day", "work day", "as of", "start date", "datum", "fecha", "data", "dato"],
        ...["tag", "arbeitstag", "jour", "dia", "dzien", "dag"],
      ],
    },
    { name: "location", type: "text", stored: "location", headings: LOCATION_HEADINGS },
    {
      name: "method",
      type: "method",
      stored: "method",
      headings: METHOD_HEADINGS,
    },
    { name: "hours", type: "hours", stored: "hours", headings: HOURS_HEADINGS },
    {
      name: "broughtForward",
      type: "flag",
      stored: "broughtForward",
      headings: ["brought forward", "carried forward", "b f", "opening balance"],
    },
    DETAILS,
  ],
  details: ENTRY_DETAILS,
  identity: ["date", "location", "method", "hours"],
  targetUnits: ["hours", "days", "months"],
  supervisorNeeds: NEEDED_FOR_HOURS,
  schema: entrySchema,
  formSchema: typedEntrySchema,
  path: "/profile",
  tab: "/profile",
  adminTab: "entries",
  adminPath: "/admin/entry",
  texts: {
    title: "OJT Entry",
    log: "OJT Hours",
    hours: "OJT",
    work: "on-the-job training",
    twice: ["These hours are", "place, method and hours"],
    thisOne: "this entry",
    rows: "OJT hours",
    missing: "There is no such entry in your log.",
    alreadyVerified: "This entry is already verified.",
    new: {
      title: "Add New OJT Hours",
      failed: "Failed to save entries. Please try again.",
      saved: { title: "Entries added", text: "Your OJT hours have been saved successfully." },
    },
    edit: "Edit Entry",
    delete: "Delete Entry",
    deleted: "Entry deleted",
    saved: "Entry saved",
    restored: "Entry restored",
    counts: ["OJT entries", "Verified entries"],
  },
  adminTexts: {
    label: "Entries",
    one: "entry",
    many: "entries",
    counted: ["entry", "entries"],
    hint: "By location, method, details, verifier or technician.",
    missing: "There is no such entry.",
    losesVerification: "Its verification is deleted with it.",
    losesLink: "The link to verify it ends.",
  },
  shown: [
    {
      label: "Job Date",
      value: ({ date, broughtForward }) => ({ dates: [date], ...(broughtForward && { mark: BROUGHT_FORWARD }) }),
    },
    { label: "Job Location", value: ({ location }) => ({ typed: location }) },
    { label: "NDT Method", value: ({ method }) => ({ text: methodLabel(method) }) },
    { label: "Hours", value: ({ hours }) => ({ hours }) },
  ],
  groups: METHODS.map(methodLabel),
  groupOf: ({ method }) => methodLabel(method),
  plate: ({ method }) => methodLabel(method),
  noun: () => "OJT hours",
  stated: () => WORK_STATED,
  // Without the level worked as: the database sets it, after this text is made.
  search: ({ location, details: { workedAs: _, ...details } }) => searchText(location, ...Object.values(details)),
  summary: ({ date, location, method, hours, broughtForward }) =>
    lineWith(
      `${broughtForward ? "Brought forward as of " : ""}${formatDate(date)}, `,
      location,
      `: ${formatHours(toHundredths(hours))} hours ${methodLabel(method)}`,
    ),
};
