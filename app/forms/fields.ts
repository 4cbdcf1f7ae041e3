import { z } from "zod";
import { ADDRESS_MAX, EMAIL, emailAddress, isBlank, isPossibleAddress, lines, oneLine } from "#app/plain-text.ts";
import type { TextRule } from "./field-rules.ts";

/**
 * Field schemas: every limit and its message is declared once, and all schemas are composed of these. A value comes from a
 * form, where everything is text and a blank field is missing, or from JSON, where it can be anything.
 */

/** The longest name, location, phone number or company, in characters. */
export const TEXT_MAX = 200;

/** The number of code points, as SQLite's length() counts: an emoji is one. */
export function characters(text: string): number {
  return [...text].length;
}

interface TextRules {
  /** The message if it is missing or blank. */
  required: string;
  /** The field's name in the message about its length. */
  label: string;
  max?: number;
  multiline?: boolean;
}

/** Required text: trimmed, not blank, not longer than `max` characters. */
export function text({ required, label, max = TEXT_MAX, multiline = false }: TextRules) {
  return z
    .string({ error: required })
    .meta({ minLength: 1, maxLength: max })
    .transform((value) => (multiline ? lines(value) : oneLine(value)))
    .refine((value) => !isBlank(value), { message: required, abort: true })
    .refine((value) => characters(value) <= max, {
      message: `${label} must be at most ${max.toLocaleString("en")} characters`,
    });
}

/** Optional text: null and blank become null. A schema decides whether it may also be missing. */
export function clearableText(label: string, { min = 1, tooShort = "", max = TEXT_MAX } = {}) {
  return z
    .string({ error: `${label} must be text` })
    .meta({ maxLength: max })
    .nullable()
    .transform((value) => {
      const line = oneLine(value ?? "");
      return isBlank(line) ? null : line;
    })
    .refine((value) => value === null || characters(value) >= min, { message: tooShort, abort: true })
    .refine((value) => value === null || characters(value) <= max, {
      message: `${label} must be at most ${max} characters`,
    });
}

/** Text in one line that may be left out. */
export function optionalText(label: string) {
  return clearableText(label)
    .optional()
    .transform((value) => value ?? null);
}

/** An email address, as it is stored. */
export function email(message: string) {
  return z
    .string({ error: message })
    .meta({ format: "email", maxLength: ADDRESS_MAX })
    .transform(emailAddress)
    .pipe(z.email({ pattern: EMAIL, error: message, abort: true }).refine(isPossibleAddress, message));
}

/** The message of a schema for an invalid value, so that messages exist only in the schema. */
export function messageFor(schema: z.ZodType, value: unknown): string {
  const message = schema.safeParse(value).error?.issues[0]?.message;
  if (!message) throw new Error(`the schema accepts ${JSON.stringify(value)}`);
  return message;
}

/** The browser's rule for a required choice or date. */
export function requiredRule(schema: z.ZodType): TextRule {
  return { required: messageFor(schema, "") };
}

/** The browser's rule for required text with a maximum length, in characters. */
export function textRule(schema: z.ZodType, characters = TEXT_MAX): TextRule {
  return {
    required: messageFor(schema, ""),
    max: { characters, message: messageFor(schema, "x".repeat(characters + 1)) },
  };
}

/** The browser's rule for text that may be left out. */
export function optionalRule(schema: z.ZodType, characters = TEXT_MAX): TextRule {
  return { max: { characters, message: messageFor(schema, "x".repeat(characters + 1)) } };
}

/** The browser's rule for an e-mail address. */
export function emailRule(schema: z.ZodType): TextRule {
  const message = messageFor(schema, "");
  return { required: message, pattern: { source: EMAIL.source, message } };
}
