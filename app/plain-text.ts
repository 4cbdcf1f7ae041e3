/**
 * Normalizes typed text, for the server's schemas and the browser's checks: removes control characters and characters that
 * change the direction of text. Emoji, and the joiners inside Arabic, Persian or Hindi words, stay.
 */

/** Characters that change the direction of the text after them. Right-to-left scripts do not need them. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

/** A letter, digit, punctuation mark or symbol, except those that are invisible, such as U+3164 or U+2800. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|[\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Text as one line: each run of control characters and unpaired surrogates becomes a space. */
export function oneLine(text: string): string {
  return text
    .replace(DIRECTIONS, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .trim();
}

/** The same for text of several lines, with LF as line end. Forms send CR LF, JSON may not. */
export function lines(text: string): string {
  return text
    .replace(DIRECTIONS, "")
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, "\n")
    .replace(/[^\P{Cc}\n]|\p{Cs}/gu, " ")
    .trim();
}

/** A typed email address as it is stored: addresses are compared without case. */
export function emailAddress(text: string): string {
  return oneLine(text).toLowerCase();
}

export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
