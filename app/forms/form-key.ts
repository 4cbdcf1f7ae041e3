import { AppError } from "#app/errors.ts";

/** Makes a key for a new form of a user. It names the user, so that another user's session cannot send the form. */
export function newFormKey(userId: number | string): string {
  return `u${userId}-${crypto.randomUUID()}`;
}

/** Whether a form's key names another user. Keys of older pages, and of forms that were filled offline, name none. */
export function isOfAnotherUser(key: string | null, userId: number): boolean {
  const [, owner] = /^u(\d+)-/.exec(key ?? "") ?? [];
  return owner !== undefined && owner !== String(userId);
}

/**
 * Parses the key in a form's address (docs/decisions/0006-forms-post-to-their-own-address.md); null if there is none. The
 * key becomes part of the shown form's action, so only letters, digits, `_` and `-` are allowed: with `../` in it, a link
 * could make the form post to another address.
 * @throws {AppError} 404 for any other text
 */
export function parseFormKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[\w-]{1,100}$/.test(text)) throw new AppError("not_found", "There is no such form.");
  return text;
}
