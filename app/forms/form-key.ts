import { AppError } from "#app/errors.ts";

/**
 * The key in a form's own address (docs/decisions/0006-forms-post-to-their-own-address.md), or null where the address
 * has none. It becomes a part of the action of the form that is shown, so it has letters, digits, `_` and `-` only: with
 * `../` in it, a link could have the form sent to another address.
 * @throws {AppError} 404 for any other text
 */
export function parseFormKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[\w-]{1,100}$/.test(text)) throw new AppError(404, "There is no such form.");
  return text;
}
