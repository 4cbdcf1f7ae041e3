/**
 * What text is kept as, for the server's schemas and the browser's checks alike: without what a person cannot see and
 * what would show it in another order than it was typed. Emoji, and what joins or parts letters inside a word of
 * Arabic, Persian or Hindi, stay.
 */

/** The characters that turn the direction of the text behind them; scripts that run from right to left need none. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

/** A letter, digit, mark of punctuation or symbol; but none of those that are empty, such as U+3164 or U+2800. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|[\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Text as one line: control characters, Unicode's separators of lines and paragraphs, and unpaired surrogates have no
 * place in it; a run of them reads as a space.
 */
export function oneLine(text: string): string {
  return text
    .replace(DIRECTIONS, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .trim();
}

/** The same for text of several lines. A form ends its lines with CR and LF, JSON may do otherwise. */
export function lines(text: string): string {
  return text
    .replace(DIRECTIONS, "")
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, "\n")
    .replace(/[^\P{Cc}\n]|\p{Cs}/gu, " ")
    .trim();
}

/** Whether a person would see nothing of it. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
