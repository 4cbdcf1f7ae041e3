import type { FontFile } from "#app/pdf/fonts/font-file.ts";
import type { ExperienceForm } from "./form.ts";

/** What a log's own words are set in. */
export interface Typeface {
  /** Font families, the first one that has a character writes it. */
  stack: string[];
  /** Those of the stack that a text needs. */
  stackFor: (text: string) => string[];
  /** The family that writes a character. */
  familyOf: (character: string) => string;
  /** The files behind them, to be registered before; none for the standard font, which every PDF reader has. */
  files: FontFile[];
  /** The text as this typeface can write it. */
  legible: (text: string) => string;
}

/** Where to look for a character that the standard font has not, in this order. */
const FONTS = [() => import("#app/pdf/fonts/noto-sans.ts"), () => import("#app/pdf/fonts/biz-udpgothic.ts")];

/** The characters of the standard font, Windows code page 1252. */
const STANDARD = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Whether the standard font has every character of a text. */
export const isStandard = (text: string) => STANDARD.test(text);

/** A typeface for everything on the form. Where the standard font is not enough the whole table is set in Noto. */
export async function typefaceFor(form: ExperienceForm): Promise<Typeface> {
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

/** @param families which family writes a code point, where the first of the stack does not */
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

/** Letters and accents joined, and without what is invisible: control characters, signs that steer the text around them, hyphens for line ends. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{Bidi_Control}\p{Variation_Selector}\u00ad]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** What no font can write, an emoji say, becomes a question mark: that something stood there is part of the record. */
function withoutAny(missing: Set<number>, text: string): string {
  return graphemesOf(text)
    .map((grapheme) => (Array.from(grapheme, codePointOf).some((codePoint) => missing.has(codePoint)) ? "?" : grapheme))
    .join("");
}

const SEGMENTER = new Intl.Segmenter();

/** What a reader takes for single characters: a letter with its accents, an emoji made of several. */
export function graphemesOf(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
