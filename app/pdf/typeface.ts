import type { FontFile } from "#app/pdf/fonts/font-file.ts";
import type { Form } from "./form.ts";

export interface Typeface {
  /** Font families: a character is set in the first that has it. */
  stack: string[];
  /** The families that a text needs. */
  stackFor: (text: string) => string[];
  familyOf: (character: string) => string;
  /** The fonts' files, to register first. None for the standard font, which every PDF reader has. */
  files: FontFile[];
  /** The text without characters that no font has. */
  legible: (text: string) => string;
}

/** The fonts to search, in this order, for a character that the standard font lacks. */
const FONTS = [() => import("#app/pdf/fonts/noto-sans.ts"), () => import("#app/pdf/fonts/biz-udpgothic.ts")];

/** The characters of the standard font, Windows code page 1252. */
const STANDARD = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Whether the standard font has every character of a text. */
export const isStandard = (text: string) => STANDARD.test(text);

/** A typeface for everything on the form. Where the standard font is not enough the whole table is set in Noto. */
export async function typefaceFor(form: Form): Promise<Typeface> {
  const text = plain(JSON.stringify(form));
  if (isStandard(text)) return { ...chosenFrom(["Helvetica"], new Map()), files: [], legible: plain };

  const missing = new Set(Array.from(text, codePointOf));
  const files: FontFile[] = [];
  const families = new Map<number, string>();
  for (const load of FONTS) {
    if (missing.size === 0) break;
    for (const file of (await load()).files) {
      const written = [...missing].filter(file.covers);
      if (written.length === 0) continue;
      files.push(file);
      for (const codePoint of written) {
        families.set(codePoint, file.family);
        missing.delete(codePoint);
      }
    }
  }
  return {
    ...chosenFrom(
      files.map(({ family }) => family),
      families,
    ),
    files,
    legible: (text) => withoutAny(missing, plain(text)),
  };
}

/** @param families the family of each code point that the first of the stack lacks */
function chosenFrom(stack: string[], families: Map<number, string>): Pick<Typeface, "stack" | "stackFor" | "familyOf"> {
  const familyOf = (character: string) => families.get(codePointOf(character)) ?? stack[0] ?? "Helvetica";
  return {
    stack,
    familyOf,
    stackFor(text) {
      const needed = new Set(Array.from(text || " ", familyOf));
      return stack.filter((family) => needed.has(family));
    },
  };
}

/** Composes accents with their letters and removes invisible and direction-changing characters. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{Bidi_Control}\p{Variation_Selector}\u00ad]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Replaces a character that no font has, such as an emoji, with a question mark. */
function withoutAny(missing: Set<number>, text: string): string {
  if (missing.size === 0) return text;
  return graphemesOf(text)
    .map((grapheme) => (Array.from(grapheme, codePointOf).some((codePoint) => missing.has(codePoint)) ? "?" : grapheme))
    .join("");
}

const SEGMENTER = new Intl.Segmenter();

/** Splits a text into what readers see as characters: a letter with its accents, an emoji of several code points. */
export function graphemesOf(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
