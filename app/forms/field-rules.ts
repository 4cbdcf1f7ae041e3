import { addressIn, isBlank, lines } from "#app/plain-text.ts";

/**
 * The rules that the browser checks of a text field before submitting. The limits and messages come from the server's
 * schema (`fields.ts`); zod itself would be most of what the page loads.
 */
export interface TextRule {
  /** The message for an empty field; without it the field may be empty. */
  required?: string;
  max?: { characters: number; message: string };
  /** The source of a regular expression for an email address in lower case. */
  pattern?: { source: string; message: string };
}

/** The message that the server would answer for this text, or null if it is valid. */
function checkText(text: string | undefined, { required, max, pattern }: TextRule): string | null {
  const value = lines(text ?? "");
  if (isBlank(value)) return required ?? null;
  if (max && [...value].length > max.characters) return max.message;
  if (pattern && !new RegExp(pattern.source).test(addressIn(value).toLowerCase())) return pattern.message;
  return null;
}

export function checkFields<Field extends string>(
  values: Partial<Record<Field, string>>,
  rules: Record<Field, TextRule>,
): Partial<Record<Field, string>> {
  const messages = (Object.keys(rules) as Field[]).map((field) => [field, checkText(values[field], rules[field])]);
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}
