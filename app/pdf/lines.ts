/** Words of up to this many characters are not broken, not even at dashes and slashes. */
const SHORT_WORD = 12;

/** Scripts that are written without spaces. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The width of a text, in em. */
export type WidthOf = (text: string) => number;

/**
 * Splits a text into lines that have room for `room` em. Together they are the text. A line may end at a space, after
 * the dashes, dots and slashes of a longer word, and anywhere in a word that is wider than a line or in a script
 * without spaces. The PDF library breaks lines too, but does not return where before a page is laid out, and breaks
 * words where one font file ends and another begins.
 */
export function linesOf(text: string, widthOf: WidthOf, room: number): string[] {
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const piece of piecesOf(text, widthOf, room)) {
    // A space at the end of a line takes no room.
    if (line && used + widthOf(piece.trimEnd()) > room) {
      lines.push(line);
      line = "";
      used = 0;
    }
    line += piece;
    used += widthOf(piece);
  }
  return [...lines, line];
}

/** The parts of a text between which a line may break, each with the space after it. */
function piecesOf(text: string, widthOf: WidthOf, room: number): string[] {
  return (text.match(/\S+\s*|\s+/g) ?? []).flatMap((word) => {
    if (SPACELESS.test(word)) return spaced(graphemesOf(word));
    if (word.trimEnd().length <= SHORT_WORD && widthOf(word.trimEnd()) <= room) return [word];
    const parts = word.match(/[^-./_\\]+[-./_\\]*\s*|[-./_\\]+\s*/g) ?? [word];
    return parts.flatMap((part) => (widthOf(part.trimEnd()) <= room ? [part] : spaced(graphemesOf(part))));
  });
}

const SEGMENTER = new Intl.Segmenter();

/** Splits a text into what readers see as characters: a letter with its accents, an emoji of several code points. */
export function graphemesOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Adds spaces to the character before them. */
function spaced(graphemes: string[]): string[] {
  const pieces: string[] = [];
  for (const grapheme of graphemes) {
    if (grapheme.trim() === "" && pieces.length > 0) pieces.push((pieces.pop() ?? "") + grapheme);
    else pieces.push(grapheme);
  }
  return pieces;
}
