import { AppError } from "#app/errors.ts";

/**
 * Parses the key in a form's address (docs/decisions/0006-forms-post-to-their-own-address.md); null if there is none. The
 * key becomes part of the shown form's action, so only letters, digits, `_` and `-` are allowed: with `../` in it, a link
 * could make the form post to another address.
 * @throws {AppError} 404 for any other text
 */
export function parseFormKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[\w-]{1,100}$/.test(text)) throw new AppError(404, "There is no such form.");
  return text;
}
