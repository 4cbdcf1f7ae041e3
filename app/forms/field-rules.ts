import { isBlank, lines } from "#app/db/plain-text.ts";

/**
 * What the browser can check of a text field before anything is sent. It comes from the server's schema, limits and
 * messages both (`field-rules.server.ts`), because the schema's library would be most of what the page loads.
 */
export interface TextRule {
  required: string;
  max?: { characters: number; message: string };
  /** The source of a regular expression for the trimmed value in lower case. */
  pattern?: { source: string; message: string };
}

/** The message that the server would have for this text, or null where it has none. */
function checkText(text: string | undefined, { required, max, pattern }: TextRule): string | null {
  const value = lines(text ?? "");
  if (isBlank(value)) return required;
  if (max && [...value].length > max.characters) return max.message;
  if (pattern && !new RegExp(pattern.source).test(value.toLowerCase())) return pattern.message;
  return null;
}

/** Every field's rule asked: the messages by field, of those that have one. */
export function checkFields<Field extends string>(
  values: Partial<Record<Field, string>>,
  rules: Record<Field, TextRule>,
): Partial<Record<Field, string>> {
  const messages = (Object.keys(rules) as Field[]).map((field) => [field, checkText(values[field], rules[field])]);
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}
