import { z } from "zod";
import type { TextRule } from "./field-rules.ts";
import { TEXT_MAX } from "./fields.ts";

/** What a schema says of a value that it refuses: the messages exist once, in the schema. */
export function messageFor(schema: z.ZodType, value: unknown): string {
  const message = schema.safeParse(value).error?.issues[0]?.message;
  if (!message) throw new Error(`the schema accepts ${JSON.stringify(value)}`);
  return message;
}

/** The browser's rule for a choice or a date: there must be one. */
export function requiredRule(schema: z.ZodType): TextRule {
  return { required: messageFor(schema, "") };
}

/** The browser's rule for text of so many characters at most. */
export function textRule(schema: z.ZodType, characters = TEXT_MAX): TextRule {
  return {
    required: messageFor(schema, ""),
    max: { characters, message: messageFor(schema, "x".repeat(characters + 1)) },
  };
}

/** The browser's rule for an e-mail address: the library's own expression. */
export function emailRule(schema: z.ZodType): TextRule {
  const message = messageFor(schema, "");
  return { required: message, pattern: { source: z.regexes.email.source, message } };
}
