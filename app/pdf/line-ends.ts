import { graphemesOf } from "./typeface.ts";

/** Marks where a line may break. The PDF library removes it from the text. */
const SOFT_HYPHEN = "\u00ad";

/** Words of up to this many characters are not broken, not even at dashes and slashes. */
const SHORT_WORD = 12;

/** Scripts that are written without spaces. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Adds the marks where a line may break besides spaces: after the dashes and slashes of a longer word, and anywhere in
 * a word that is wider than a line or in a script without spaces. A text that fits on one line gets no marks.
 * The marks are added to whole words here, because the library splits words into runs of one font before it calls
 * `piecesOf`.
 */
export function withLineEnds(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const words = text.split(" ").map((word) => {
    if (SPACELESS.test(word)) return graphemesOf(word);
    if (word.length <= SHORT_WORD) return [word];
    const pieces = word.match(/[^-/_\\]+[-/_\\]*|[-/_\\]+/g) ?? [word];
    return pieces.flatMap((piece) => (fits(piece) ? [piece] : graphemesOf(piece)));
  });
  return words.map((pieces) => pieces.join(SOFT_HYPHEN)).join(" ");
}

/**
 * Splits a run at the marks, for the library's `hyphenationCallback`. The library treats an empty piece as a space of
 * no width; without it, it would add a hyphen.
 */
export function piecesOf(run: string): string[] {
  return run.split(SOFT_HYPHEN).flatMap((piece, index) => (index === 0 ? [piece] : ["", piece]));
}
