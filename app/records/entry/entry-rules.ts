import { FORM_METHODS, type Method, OTHER_METHODS } from "#app/db/enumerations.ts";
import type { Input } from "#app/forms/field.tsx";
import { checkFields } from "#app/forms/field-rules.ts";
import {
  DAY_MAX,
  formatHours,
  isLongAgo,
  parseHours,
  toHundredths,
  typedHours,
  UNCLEAR_HOURS,
} from "#app/records/hours.ts";
import type { Entry, EntryRules, NewEntry } from "./entry.kind.ts";
import { methodLabel, OTHERS_LABEL } from "./methods.ts";

const choice = (method: Method) => [method, methodLabel(method)] as const;

/** The methods as a select lists them. */
export const METHOD_CHOICES = [...FORM_METHODS.map(choice), [OTHERS_LABEL, OTHER_METHODS.map(choice)] as const];

/** The inputs of an entry, with the labels of spec section 2, in every form that has them. */
export const ENTRY_INPUTS = [
  { name: "date", label: "Job Date", as: "date" },
  { name: "location", label: "Job Location", placeholder: "Enter location" },
  {
    name: "method",
    label: "NDT Method",
    choices: METHOD_CHOICES,
    none: "Select method",
  },
  { name: "hours", label: "Hours", as: "number", placeholder: "0.0" },
] as const satisfies Input[];

/** The values of one row of the new-entry form. */
export type EntryDraft = Record<(typeof ENTRY_INPUTS)[number]["name"], string> & { details?: Record<string, string> };

/** The draft of the same job again: its place, method and details, but not what differs each time. */
export function draftOf({
  location,
  method,
  details: { role: _, workedAs: __, ...details },
}: Entry): Partial<EntryDraft> {
  return { location, method, details };
}

/** The rows of a form: a day or a place that is left empty is that of the row above. */
export function filledDown(rows: readonly Partial<EntryDraft>[]): Partial<EntryDraft>[] {
  let [date, location] = ["", ""];
  return rows.map((row) => {
    date = row.date?.trim() ? row.date : date;
    location = row.location?.trim() ? row.location : location;
    return { ...row, date, location };
  });
}

/**
 * The fields of a form as they are saved: its rows are `filledDown`, and each has the details of the day, which the form has once,
 * unless it has its own. A form whose button adds or changes a row stays as it is.
 */
export function withDayAndPlace(form: FormData): FormData {
  const intent = JSON.parse(String(form.get("__intent__") || "null"));
  if (intent && intent.type !== "remove") return form;
  const above = new Map<string, FormDataEntryValue>();
  const rows = new Set<string>();
  for (const [name, value] of [...form]) {
    const [, row, field = ""] = /^(entries\[\d+\]\.)(\w+)/.exec(name) ?? [];
    if (row) rows.add(row);
    if (field !== "date" && field !== "location") continue;
    const filled = above.get(field);
    if (String(value).trim()) above.set(field, value);
    else if (filled) form.set(name, filled);
  }
  if (intent) return form;
  for (const [name, value] of [...form]) {
    if (!name.startsWith(DAY_DETAILS)) continue;
    for (const row of rows) if (value && !form.get(row + name)) form.set(row + name, value);
    form.delete(name);
  }
  return form;
}

const DAY_DETAILS = "details.";

type Rows = readonly Pick<Partial<EntryDraft>, "details">[];

/** The details that all rows have: a form shows them once, as those of the day. */
export function dayDetails([first, ...others]: Rows): Record<string, string> {
  return Object.fromEntries(
    Object.entries(first?.details ?? {}).filter(
      ([name, value]) => value && others.every(({ details }) => details?.[name] === value),
    ),
  );
}

/** Rows without these details of the day. */
export function withoutDetails<Row extends Rows[number]>(rows: readonly Row[], day: Record<string, string>): Row[] {
  return rows.map((row) => ({
    ...row,
    details: Object.fromEntries(Object.entries(row.details ?? {}).filter(([name]) => !(name in day))),
  }));
}

/** The hours of each date, in hundredths, of these entries. */
export type Days = Record<string, number>;

export function hoursOfDates(entries: readonly Pick<NewEntry, "date" | "hours" | "broughtForward">[]): Days {
  const days: Days = {};
  for (const { date, hours, broughtForward } of entries) {
    if (!broughtForward) days[date] = (days[date] ?? 0) + toHundredths(hours);
  }
  return days;
}

/**
 * Returns the warnings about the rows of a form, which may be saved all the same: a date on which they and the entries
 * of before add up to more than a day has, one in the future or long ago, and a job that `isLogged`. Each row gets all
 * its warnings in one text.
 */
export function warningsOf(
  rows: readonly Partial<EntryDraft>[],
  days: Days,
  today: string,
  isLogged: (row: Partial<EntryDraft>) => boolean = () => false,
): string[] {
  const sums = { ...days };
  return rows.map((row) => {
    const { date = "", hours = "" } = row;
    sums[date] = (sums[date] ?? 0) + toHundredths(parseHours(typedHours(hours)) ?? 0);
    const warnings = [
      hours && sums[date] > DAY_MAX && `That day adds up to ${formatHours(sums[date])} hours.`,
      hours && isLogged(row) && "The same hours are in your log already.",
      date > today && "That day is in the future.",
      isLongAgo(date, today) && "That day is more than 10 years ago.",
    ];
    return warnings.filter(Boolean).join(" ");
  });
}

/** The error message of each field that the server would reject too. */
export function checkEntry(draft: Partial<EntryDraft>, rules: EntryRules): Partial<Record<keyof EntryDraft, string>> {
  const typed = typedHours(draft.hours ?? "");
  const hours = parseHours(typed) ?? 0;
  const { min, tooFew, max, tooMany } = rules.hours;
  const wrongHours = typed === null ? UNCLEAR_HOURS : hours < min ? tooFew : hours > max ? tooMany : null;
  return { ...checkFields(draft, rules.text), ...(wrongHours && { hours: wrongHours }) };
}
