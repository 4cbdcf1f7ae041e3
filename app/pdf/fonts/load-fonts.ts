import { Font } from "@react-pdf/renderer";
import type { Typeface } from "#app/pdf/typeface.ts";
import { remember } from "./remembering-font.ts";

/** The ascent of Noto Sans, in em. That of BIZ UDPGothic is 0.88. */
const ASCENT = 1.069;

/**
 * Loads the fonts of a typeface into the PDF library, so that each file is embedded once.
 * The library (pdfkit) identifies fonts by their PostScript name. All files of a family have the same one, so each run
 * of text embedded a new copy: 400 entries in Polish took 37 s and 2.9 MB. Here each file gets a unique name.
 * @param root precedes the URL of each file: in Node, the folder of the project
 */
export async function loadFonts({ stack, files }: Typeface, root = ""): Promise<void> {
  for (const { family, src } of files) Font.register({ family, src: `${root}${src}` });
  await Promise.all([...stack, "Helvetica", "Helvetica-Bold"].map((fontFamily) => Font.load({ fontFamily })));
  for (const { family } of files) {
    const font = Font.getFont({ fontFamily: family }).data;
    if (!font) continue;
    Object.defineProperty(font, "postscriptName", { value: family });
    // With the same ascent for all files the cells of a row have one baseline.
    Object.defineProperty(font, "ascent", { value: ASCENT * font.unitsPerEm });
    remember(font);
  }
}

const widths = new Map<string, Map<string, number>>();

/** How wide a text is in fonts that are loaded: in em, without kerning. */
export function widthOf(text: string, familyOf: Typeface["familyOf"]): number {
  return Array.from(text).reduce((sum, character) => sum + widthOfOne(character, familyOf(character)), 0);
}

function widthOfOne(character: string, fontFamily: string): number {
  const ofFont = widths.get(fontFamily) ?? new Map<string, number>();
  widths.set(fontFamily, ofFont);
  const known = ofFont.get(character);
  if (known !== undefined) return known;
  const font = Font.getFont({ fontFamily }).data;
  const width = font ? font.layout(character).advanceWidth / font.unitsPerEm : 1;
  ofFont.set(character, width);
  return width;
}
