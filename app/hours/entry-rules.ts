import { parseHours } from "./hours.ts";

/** One row of the form of new entries, as it was typed. */
export interface EntryDraft {
  date: string;
  location: string;
  method: string;
  hours: string;
}

/** What the browser can check before anything is sent: limits and messages, given to it by the server's schema. */
export interface EntryRules {
  required: Record<keyof EntryDraft, string>;
  locationMax: { characters: number; message: string };
  hoursMin: number;
  hoursMax: { hours: number; message: string };
}

/** The message for each field of a row that the server would refuse as well. */
export function checkEntry(draft: Partial<EntryDraft>, rules: EntryRules): Partial<Record<keyof EntryDraft, string>> {
  const { date = "", location = "", method = "", hours: typed } = draft;
  const hours = parseHours(typed) ?? 0;
  const wrong: Partial<Record<keyof EntryDraft, string>> = {};
  if (!date) wrong.date = rules.required.date;
  if (!location.trim()) wrong.location = rules.required.location;
  else if ([...location.trim()].length > rules.locationMax.characters) wrong.location = rules.locationMax.message;
  if (!method) wrong.method = rules.required.method;
  if (hours < rules.hoursMin) wrong.hours = rules.required.hours;
  else if (hours > rules.hoursMax.hours) wrong.hours = rules.hoursMax.message;
  return wrong;
}
