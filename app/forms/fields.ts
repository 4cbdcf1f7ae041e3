import { z } from "zod";
import { isBlank, lines, oneLine } from "#app/db/plain-text.ts";

/**
 * Field atoms: each limit of product and spec, and its message, once. Every schema is composed of these. A value may
 * come from a form, where all is text and a blank field is missing, or from JSON, where it may be anything.
 */

/** The longest name, place, phone number or company, in characters. */
export const TEXT_MAX = 200;

/** Characters as a person counts them (an emoji is one), which is also how SQLite's length() counts. */
export function characters(text: string): number {
  return [...text].length;
}

interface TextRules {
  /** The message where it is missing or blank. */
  required: string;
  /** What the field is called in the message about its length. */
  label: string;
  max?: number;
  multiline?: boolean;
}

/** Required text: trimmed, not blank, not longer than `max` characters. */
export function text({ required, label, max = TEXT_MAX, multiline = false }: TextRules) {
  return z
    .string({ error: required })
    .transform((value) => (multiline ? lines(value) : oneLine(value)))
    .refine((value) => !isBlank(value), { message: required, abort: true })
    .refine((value) => characters(value) <= max, {
      message: `${label} must be at most ${max.toLocaleString("en")} characters`,
    });
}

/** Text that may be emptied: null and blank are both null. Whether it may also be missing is the schema's to say. */
export function clearableText(label: string, { min = 1, tooShort = "" } = {}) {
  return z
    .string({ error: `${label} must be text` })
    .nullable()
    .transform((value) => {
      const line = oneLine(value ?? "");
      return isBlank(line) ? null : line;
    })
    .refine((value) => value === null || characters(value) >= min, { message: tooShort, abort: true })
    .refine((value) => value === null || characters(value) <= TEXT_MAX, {
      message: `${label} must be at most ${TEXT_MAX} characters`,
    });
}

/** An e-mail address, trimmed and in lower case: addresses are compared without case. */
export function email(message: string) {
  return z
    .string({ error: message })
    .transform((value) => oneLine(value).toLowerCase())
    .pipe(z.email({ error: message }).max(254, message));
}
