import { z } from "zod";
import { isCalendarDate } from "#app/ui/calendar-date.ts";
import { HOURS_MAX, toHundredths } from "./hours.ts";

/** Fields of records of several kinds. Each kind says what it calls a value that is missing. */

/** A calendar date that exists, `YYYY-MM-DD`. */
export function calendarDate(label: string, required = `${label} is required`) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required, abort: true })
    .refine(isCalendarDate, { message: `${label} must be a day of the calendar, such as 2026-11-21` });
}

/** Hours within what a record can hold, of which two decimals are kept. */
export function boundedHours(min: number, tooFew: string) {
  // Not z.number(), which has words of its own for the infinity that 1e999 is.
  return z
    .custom<number>((value) => typeof value === "number")
    .refine((value) => value >= min, { message: tooFew, abort: true })
    .refine((value) => value <= HOURS_MAX, { message: `Hours must be at most ${HOURS_MAX.toLocaleString("en")}` })
    .transform((value) => toHundredths(value) / 100);
}
