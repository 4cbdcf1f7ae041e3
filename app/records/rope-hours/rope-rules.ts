import { checkFields, type TextRule } from "#app/forms/field-rules.ts";
import { parseHours, typedNumber, UNCLEAR_NUMBER } from "#app/records/hours.ts";

export interface RopeHoursDraft {
  startDate: string;
  endDate: string;
  location: string;
  skills: string;
  hours: string;
  details?: Record<string, string>;
}

/** The checks that the browser makes before it sends the form. */
export interface RopeHoursRules {
  text: Record<"startDate" | "endDate" | "location" | "skills", TextRule>;
  /** For a period that does not end after its first day. */
  endAfterStart: string;
  hours: { required: string; tooFew: string; max: number; tooMany: string };
}

/** The error message of each field that the server would reject too. */
export function checkRopeHours(
  draft: Partial<RopeHoursDraft>,
  rules: RopeHoursRules,
): Partial<Record<keyof RopeHoursDraft, string>> {
  const messages = { ...checkFields(draft, rules.text), ...wrongHours(draft.hours, rules.hours) };
  if (Object.keys(messages).length > 0) return messages;
  const { startDate = "", endDate = "" } = draft;
  return endDate > startDate ? {} : { endDate: rules.endAfterStart };
}

function wrongHours(text: string | undefined, { required, tooFew, max, tooMany }: RopeHoursRules["hours"]) {
  const typed = typedNumber(text ?? "");
  if (typed === null) return { hours: UNCLEAR_NUMBER };
  const hours = parseHours(typed);
  if (hours === null) return { hours: required };
  if (hours < 0) return { hours: tooFew };
  return hours > max ? { hours: tooMany } : {};
}
