import { z } from "zod";
import type { TextRule } from "./field-rules.ts";
import { TEXT_MAX } from "./fields.ts";

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

/** The browser's rule for an e-mail address: zod's own expression. */
export function emailRule(schema: z.ZodType): TextRule {
  const message = messageFor(schema, "");
  return { required: message, pattern: { source: z.regexes.email.source, message } };
}
