import { Font } from "@react-pdf/renderer";
import type { FontFile, Weight } from "./font-file.ts";
import { LATIN } from "./noto-sans.ts";

/** Drawn for a character that no font has, and what a reader copies. */
export const BOX = "□";

/** The ascent of Noto Sans, in em. That of BIZ UDPGothic is 0.88. */
const ASCENT = 1.069;

/** What of fontkit's fonts is used and changed here. Its package has no types; `_getTableStream` is of fontkit 2.0.4. */
interface EmbeddedFont {
  unitsPerEm: number;
  stream: TableStream;
  _getTableStream(tag: string): TableStream | null;
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string, features?: object, ...more: unknown[]): { advanceWidth: number };
  createSubset(): { mapping: Record<number, number> };
}

interface TableStream {
  pos: number;
}

/** Removes the fonts of an earlier PDF and the library's own, which are not embedded. */
export function clearFonts(): void {
  Font.clear();
}

/**
 * Loads the file of a weight into the PDF library, so that it is embedded once and is fast.
 * @param root precedes its URL: in Node, the folder of the project
 */
export async function loadFont(file: FontFile, style: Weight | "italic", root: string): Promise<EmbeddedFont> {
  const { family, sources } = file;
  const descriptor = style === "italic" ? { fontWeight: 400, fontStyle: "italic" as const } : { fontWeight: style };
  Font.register({ family, src: `${root}${sources[style]}`, ...descriptor });
  // The library ends every list of families with this one.
  if (family === LATIN) Object.assign(Font.getRegisteredFonts(), { Helvetica: Font.getRegisteredFonts()[LATIN] });
  await Font.load({ fontFamily: family, ...descriptor });
  const font = Font.getFont({ fontFamily: family, ...descriptor }).data as unknown as EmbeddedFont; // see there
  // The library (pdfkit) identifies fonts by their PostScript name. All files of a family have the same one, so each run
  // of text embedded a new copy: 400 entries in Polish took 37 s and 2.9 MB.
  Object.defineProperty(font, "postscriptName", { value: `${family}-${style}` });
  // With the same ascent for all files the cells of a row have one baseline.
  Object.defineProperty(font, "ascent", { value: ASCENT * font.unitsPerEm });
  unpackOnce(font);
  shapeOnce(font);
  drawBoxes(font);
  return font;
}

/** fontkit unpacks the outlines of all glyphs again for each glyph. Here each table is unpacked once. */
function unpackOnce(font: EmbeddedFont): void {
  const unpacked = new Map<string, TableStream>();
  const unpack = font._getTableStream.bind(font);
  font._getTableStream = (tag) => {
    const known = unpacked.get(tag);
    if (known) {
      known.pos = 0;
      return known;
    }
    const table = unpack(tag);
    // A table that is not packed is a part of the file's own stream.
    if (table && table !== font.stream) unpacked.set(tag, table);
    return table;
  };
}

/**
 * The same words are in many rows. The PDF library does not change the glyphs that it is given. It draws the end of a
 * line that is set in another file than the character before: as a space it is invisible.
 */
function shapeOnce(font: EmbeddedFont): void {
  const shaped = new Map<string, ReturnType<EmbeddedFont["layout"]>>();
  const shape = font.layout.bind(font);
  font.layout = (typed, features, ...more) => {
    const text = typed.replaceAll("\n", " ");
    if (features) return shape(text, features, ...more);
    const key = [text, ...more].join("\0");
    const known = shaped.get(key) ?? shape(text, features, ...more);
    shaped.set(key, known);
    return known;
  };
}

/**
 * The glyph of every font for what it lacks is a box, number 0. pdfkit notes no character for that number, so a box is
 * embedded again under a number of its own.
 */
function drawBoxes(font: EmbeddedFont): void {
  font.layout(BOX); // before anybody asks for glyph 0 without a character, because fontkit keeps the first
  const subset = font.createSubset.bind(font);
  font.createSubset = () => {
    const made = subset();
    delete made.mapping[0];
    return made;
  };
}
