import { z } from "zod";
import { isCalendarDate } from "#app/calendar-date.ts";
import { optionalText } from "#app/forms/fields.ts";
import { HOURS_MAX, HOURS_MIN, parseHours, toHundredths, typedNumber, UNCLEAR_NUMBER } from "./hours.ts";

/** The field schemas that several kinds share. */

/** A valid calendar date, `YYYY-MM-DD`. */
export function calendarDate(label: string, required = `${label} is required`) {
  return withDateChecks(z.string({ error: required }).trim().min(1, { error: required, abort: true }), label);
}

/** Adds the checks of a calendar date to a schema. A date that is left out, null or empty, passes them. */
export function withDateChecks<Schema extends z.ZodType<string | null>>(schema: Schema, label: string) {
  return schema
    .refine((value) => !value || isCalendarDate(value), {
      message: `${label} must be a day of the calendar, such as 2026-11-21`,
      abort: true,
    })
    .refine((value) => !value || isOfOurTime(value), { message: `${label} must be in 1900 or later: check the year` });
}

/** Whether anybody alive can have worked on this date: a year that is not typed to its end, such as 0026, is none. */
export function isOfOurTime(date: string): boolean {
  return date >= "1900-01-01";
}

/** How hours are sent, for the description of the API. */
export const SENT_HOURS = { type: ["number", "string"], description: "Hours, with two decimals; may be sent as text" };

/** Hours between `min` and the maximum of a record, rounded to two decimals. */
export function boundedHours(min: number, tooFew: string) {
  // Not z.number(), which reports infinity (1e999) with a message of its own.
  return z
    .custom<number>((value) => typeof value === "number")
    .refine((value) => value >= min, { message: tooFew, abort: true })
    .refine((value) => value <= HOURS_MAX, { message: `Hours must be at most ${HOURS_MAX.toLocaleString("en")}` })
    .transform((value) => toHundredths(value) / 100);
}

/** The hours of work or of a course: a value that is not a number counts as 0 (spec section 5). */
export const someHours = z
  .unknown()
  .transform((value) => parseHours(value) ?? 0)
  .pipe(boundedHours(HOURS_MIN, "Hours must be greater than 0"))
  .meta(SENT_HOURS);

/**
 * For a check that compares fields of an object: it is made although others are missing, once these are right. Without it zod
 * waits until all of them are, and a form would say what is wrong in two rounds.
 */
export function onceRight(...names: string[]) {
  return {
    when: ({ issues }: { issues: readonly { path?: PropertyKey[] | undefined }[] }) =>
      issues.every(({ path: [name] = [] }) => name !== undefined && !names.includes(String(name))),
  };
}

/** A calendar date that may be left out. */
export function optionalDate(label: string) {
  return withDateChecks(optionalText(label), label);
}

/** One of some words that may be left out. */
export function optionalChoice<const Choice extends string>(
  label: string,
  choices: readonly [Choice, ...Choice[]],
  labelOf: (choice: Choice) => string = (choice) => choice,
) {
  const message = `${label} must be one of ${choices.map(labelOf).join(", ")}`;
  return optionalText(label).pipe(z.enum(choices, { error: message }).nullable());
}

/** The field of a form for a number that `schema` reads from JSON. For hours `read` is `typedHours`. */
export function typedInForm<Output>(schema: z.ZodType<Output>, read = typedNumber) {
  return z
    .unknown()
    .optional()
    .transform((value, context): unknown => {
      const number = typeof value === "string" ? read(value) : value;
      if (number !== null) return number;
      context.addIssue({ code: "custom", message: UNCLEAR_NUMBER });
      return z.NEVER;
    })
    .pipe(schema);
}
