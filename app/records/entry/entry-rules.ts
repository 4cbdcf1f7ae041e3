import { checkFields, type TextRule } from "#app/forms/field-rules.ts";
import { parseHours, typedNumber, UNCLEAR_NUMBER } from "#app/records/hours.ts";

/** The values of one row of the new-entry form. */
export interface EntryDraft {
  date: string;
  location: string;
  method: string;
  hours: string;
  details?: Record<string, string>;
}

/** The checks that the browser makes before it sends a row. */
export interface EntryRules {
  text: Record<"date" | "location" | "method", TextRule>;
  hours: { min: number; tooFew: string; max: number; tooMany: string };
}

/** The error message of each field that the server would reject too. */
export function checkEntry(draft: Partial<EntryDraft>, rules: EntryRules): Partial<Record<keyof EntryDraft, string>> {
  const typed = typedNumber(draft.hours ?? "");
  const hours = parseHours(typed) ?? 0;
  const { min, tooFew, max, tooMany } = rules.hours;
  const wrongHours = typed === null ? UNCLEAR_NUMBER : hours < min ? tooFew : hours > max ? tooMany : null;
  return { ...checkFields(draft, rules.text), ...(wrongHours && { hours: wrongHours }) };
}
