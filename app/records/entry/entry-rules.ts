import { checkFields, type TextRule } from "#app/forms/field-rules.ts";
import { parseHours } from "#app/records/hours.ts";

/** One row of the form of new entries, as it was typed. */
export interface EntryDraft {
  date: string;
  location: string;
  method: string;
  hours: string;
}

/** What the browser checks of a row before anything is sent. */
export interface EntryRules {
  text: Record<"date" | "location" | "method", TextRule>;
  hours: { min: number; tooFew: string; max: number; tooMany: string };
}

/** The message for each field of a row that the server would refuse as well. */
export function checkEntry(draft: Partial<EntryDraft>, rules: EntryRules): Partial<Record<keyof EntryDraft, string>> {
  const hours = parseHours(draft.hours) ?? 0;
  const { min, tooFew, max, tooMany } = rules.hours;
  const wrongHours = hours < min ? tooFew : hours > max ? tooMany : null;
  return { ...checkFields(draft, rules.text), ...(wrongHours && { hours: wrongHours }) };
}
