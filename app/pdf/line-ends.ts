import { graphemesOf } from "./typeface.ts";

/** Marks where a line may end. The PDF library removes it from the text, with or without a line end there. */
const SOFT_HYPHEN = "\u00ad";

/** A word of at most this many characters is kept in one piece, also at its dashes and slashes. */
const SHORT_WORD = 12;

/** Scripts that are written without spaces. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * A text with marks where a line may end beside its spaces: a longer word ends one after its dashes and slashes, what
 * does not fit a line of its own anywhere, a text without spaces too. A text that fits one line has no marks.
 *
 * The marks are set here, on whole words: the library cuts a word into runs of one font before it asks `piecesOf`.
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
 * The pieces of a run between which a line may end, for the library's `hyphenationCallback`. It takes an empty piece
 * for a space of no width; without it, it would add a hyphen.
 */
export function piecesOf(run: string): string[] {
  return run.split(SOFT_HYPHEN).flatMap((piece, index) => (index === 0 ? [piece] : ["", piece]));
}
