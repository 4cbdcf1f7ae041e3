import { z } from "zod";
import { isCalendarDate } from "#app/calendar-date.ts";
import { optionalText } from "#app/forms/fields.ts";
import type { Details } from "./details.ts";
import {
  HOURS_MAX,
  HOURS_MIN,
  parseHours,
  toHundredths,
  typedHours,
  typedNumber,
  UNCLEAR_HOURS,
  UNCLEAR_NUMBER,
} from "./hours.ts";
import type { Kind } from "./kind.ts";

/** The field schemas that several kinds share. */

/** A valid calendar date, `YYYY-MM-DD`. */
export function calendarDate(label: string, required = `${label} is required`) {
  const text = z.string({ error: required }).trim().min(1, { error: required, abort: true });
  return withDateChecks(text.meta({ format: "date" }), label);
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

/** Whether a living person can have worked on this date: a year that is not typed to its end, such as 0026, is none. */
export function isOfOurTime(date: string): boolean {
  return date >= "1900-01-01";
}

/** How hours of at least `min` are sent, for the description of the API. */
export function sentHours(min: number) {
  const most = HOURS_MAX.toLocaleString("en");
  return {
    type: ["number", "string"],
    minimum: min,
    maximum: HOURS_MAX,
    description: `Hours with two decimals, at least ${min} and at most ${most}; may be sent as text`,
  };
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

/** The hours of work or of a course: a value that is not a number counts as 0 (spec section 5). */
export const someHours = z
  .unknown()
  .transform((value) => parseHours(value) ?? 0)
  .pipe(boundedHours(HOURS_MIN, "Hours must be greater than 0"))
  .meta(sentHours(HOURS_MIN));

/**
 * Makes a check that compares fields of an object run although others are missing, once these are right. Without it zod
 * waits until all of them are, and a form would show its errors in two rounds.
 */
export function onceRight(...names: string[]) {
  return {
    when: ({ issues }: { issues: readonly { path?: PropertyKey[] | undefined }[] }) =>
      issues.every(({ path: [name] = [] }) => name !== undefined && !names.includes(String(name))),
  };
}

/** A kind, which a schema that is part of it gets by a function: at that time it is not there yet. */
export type HasFields = Pick<Kind, "fields">;

/** The most that the texts of one record have together, in bytes of UTF-8. */
export const TEXTS_MAX = 8_000;

/**
 * Adds the limit of what a person types in one record: its fields of the type `text` and its details, `TEXTS_MAX` bytes together.
 * The error is at the longest of them.
 */
export function withTextLimit<Schema extends z.ZodType<object>>(schema: Schema, kindOf: () => HasFields) {
  return schema.superRefine((values, { addIssue }) => {
    const sent: Partial<Record<string, unknown>> = values;
    const details = Object.entries((sent.details ?? {}) as Details); // by the schema of a kind
    const texts = [
      ...kindOf()
        .fields.filter(({ type }) => type === "text")
        .map(({ name }) => ({ path: [name], bytes: byteLength(sent[name]) })),
      ...details.map(([name, text]) => ({ path: ["details", name], bytes: byteLength(text) })),
    ].sort((one, other) => other.bytes - one.bytes);
    const all = texts.reduce((sum, { bytes }) => sum + bytes, 0);
    if (all > TEXTS_MAX) addIssue({ code: "custom", path: texts[0]?.path ?? [], message: tooLong(all) });
  });
}

function byteLength(text: unknown): number {
  return typeof text === "string" ? new TextEncoder().encode(text).length : 0;
}

function tooLong(bytes: number): string {
  const [most, found] = [TEXTS_MAX, bytes].map((number) => number.toLocaleString("en"));
  return `All texts of a record together may have ${most} bytes, and these have ${found}. Shorten the longest text, or write it without emoji: a plain letter has 1 byte, other letters have 2 or 3, and an emoji has 4 or more.`;
}

/** A calendar date that may be left out. */
export function optionalDate(label: string) {
  return withDateChecks(optionalText(label), label);
}

/** Makes a schema of one of some words, which may be left out. */
export function optionalChoice<const Choice extends string>(
  label: string,
  choices: readonly [Choice, ...Choice[]],
  labelOf: (choice: Choice) => string = (choice) => choice,
) {
  const message = `${label} must be one of ${choices.map(labelOf).join(", ")}`;
  return optionalText(label).pipe(z.enum(choices, { error: message }).nullable());
}

/** The field of a form for hours that `schema` reads from JSON. */
export function hoursInForm<Output>(schema: z.ZodType<Output>) {
  return typedInForm(schema, typedHours, UNCLEAR_HOURS);
}

/** The field of a form for a number that `schema` reads from JSON. */
export function typedInForm<Output>(schema: z.ZodType<Output>, read = typedNumber, unclear = UNCLEAR_NUMBER) {
  return z
    .unknown()
    .optional()
    .transform((value, context): unknown => {
      const number = typeof value === "string" ? read(value) : value;
      if (number !== null) return number;
      context.addIssue({ code: "custom", message: unclear });
      return z.NEVER;
    })
    .pipe(schema);
}
