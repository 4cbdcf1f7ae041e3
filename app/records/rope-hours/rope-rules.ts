import type { Input } from "#app/forms/field.tsx";
import { checkFields } from "#app/forms/field-rules.ts";
import type { Entry } from "#app/records/entry/entry.kind.ts";
import { longPeriodText, parseHours, typedHours, UNCLEAR_HOURS } from "#app/records/hours.ts";
import type { RopeHours, RopeHoursRules } from "./rope-hours.kind.ts";

/** The inputs of rope hours, in every form that has them. */
export const ROPE_INPUTS = [
  { name: "startDate", label: "Start Date", as: "date" },
  { name: "endDate", label: "End Date", as: "date", hint: "The last day of work" },
  { name: "location", label: "Location" },
  { name: "skills", label: "Skills", as: "lines" },
  { name: "hours", label: "Hours", as: "number", placeholder: "0.0" },
] as const satisfies Input[];

export type RopeHoursDraft = Record<(typeof ROPE_INPUTS)[number]["name"], string> & {
  details?: Record<string, string>;
};

/**
 * Returns the values that the form begins with: a period of today alone, and the same job again or the rope hours of a
 * shift that was logged as an OJT entry.
 */
export function draftOf(
  { again, shift }: { again?: RopeHours | undefined; shift?: Entry | undefined },
  today: string,
): Partial<RopeHoursDraft> {
  const from = shift?.date ?? today;
  const dates = { startDate: from, endDate: from };
  if (shift) return { ...dates, location: shift.location };
  return { ...dates, ...(again && { location: again.location, skills: again.skills, details: again.details }) };
}

/** Moves an end that was not chosen after a change of the start: it follows the start. */
export function followStart(form: HTMLFormElement, { name, value }: HTMLInputElement): void {
  const end = form.elements.namedItem("endDate") as HTMLInputElement | null; // a form of rope hours has it
  if (name !== "startDate" || !end || !value) return;
  if (end.value === "" || end.dataset.preset === end.value) end.value = end.dataset.preset = value;
}

/** Returns the hint of the hours' field if the typed hours of a period are unusual. They may be saved all the same. */
export function periodHint(draft: { hours: string | undefined; [field: string]: string | undefined }): {
  hint?: string;
} {
  const hint = longPeriodText({ ...draft, hours: parseHours(typedHours(draft.hours ?? "")) });
  return hint ? { hint } : {};
}

/** The error message of each field that the server would reject too. */
export function checkRopeHours(
  draft: Partial<RopeHoursDraft>,
  rules: RopeHoursRules,
): Partial<Record<keyof RopeHoursDraft, string>> {
  const messages = { ...checkFields(draft, rules.text), ...wrongHours(draft.hours, rules.hours) };
  if (Object.keys(messages).length > 0) return messages;
  const { startDate = "", endDate = "" } = draft;
  return endDate >= startDate ? {} : { endDate: rules.endAfterStart };
}

function wrongHours(text: string | undefined, { required, tooFew, max, tooMany }: RopeHoursRules["hours"]) {
  const typed = typedHours(text ?? "");
  if (typed === null) return { hours: UNCLEAR_HOURS };
  const hours = parseHours(typed);
  if (hours === null) return { hours: required };
  if (hours < 0) return { hours: tooFew };
  return hours > max ? { hours: tooMany } : {};
}
