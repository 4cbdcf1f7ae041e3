import { z } from "zod";
import { isCalendarDate } from "#app/ui/calendar-date.ts";
import { HOURS_MAX, toHundredths, typedNumber, UNCLEAR_NUMBER } from "./hours.ts";

/** The field schemas that several kinds share. */

/** A valid calendar date, `YYYY-MM-DD`. */
export function calendarDate(label: string, required = `${label} is required`) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required, abort: true })
    .refine(isCalendarDate, { message: `${label} must be a day of the calendar, such as 2026-11-21`, abort: true })
    .refine(isOfOurTime, { message: `${label} must be in 1900 or later: check the year` });
}

/** Whether anybody alive can have worked on this date: a year that is not typed to its end, such as 0026, is none. */
export function isOfOurTime(date: string): boolean {
  return date >= "1900-01-01";
}

/** Hours between `min` and the maximum of a record, rounded to two decimals. */
export function boundedHours(min: number, tooFew: string) {
  // Not z.number(), which reports infinity (1e999) with a message of its own.
  return z
    .custom<number>((value) => typeof value === "number")
    .refine((value) => value >= min, { message: tooFew, abort: true })
    .refine((value) => value <= HOURS_MAX, { message: `Hours must be at most ${HOURS_MAX.toLocaleString("en")}` })
    .transform((value) => toHundredths(value) / 100);
}

/** The field of a form for a number that `schema` reads from JSON. */
export function typedInForm<Output>(schema: z.ZodType<Output>) {
  return z
    .unknown()
    .transform((value, context): unknown => {
      const number = typeof value === "string" ? typedNumber(value) : value;
      if (number !== null) return number;
      context.addIssue({ code: "custom", message: UNCLEAR_NUMBER });
      return z.NEVER;
    })
    .pipe(schema);
}

/** How hours are sent, for the description of the API. */
export const SENT_HOURS = { type: ["number", "string"], description: "Hours, with two decimals; may be sent as text" };
