import ranges from "@fontsource/noto-sans/unicode.json";
import { Font } from "@react-pdf/renderer";

/** Drawn for a character that no font has, and what a reader copies. */
export const BOX = "□";

/** The ascent of Noto Sans, in em. That of BIZ UDPGothic is 0.88. */
const ASCENT = 1.069;

/**
 * The part of fontkit's fonts that is used and changed here. Its package has no types; `_getTableStream` is of fontkit
 * 2.0.4.
 */
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
export async function loadFont(file: FontFile, weight: Weight, root: string): Promise<EmbeddedFont> {
  const { family, sources } = file;
  const descriptor = { fontWeight: weight };
  Font.register({ family, src: `${root}${sources[weight]}`, ...descriptor });
  // The library ends every list of families with this one.
  if (family === LATIN) Object.assign(Font.getRegisteredFonts(), { Helvetica: Font.getRegisteredFonts()[LATIN] });
  await Font.load({ fontFamily: family, ...descriptor });
  const font = Font.getFont({ fontFamily: family, ...descriptor }).data as unknown as EmbeddedFont; // see there
  // The library (pdfkit) identifies fonts by their PostScript name. All files of a family have the same one, so each run
  // of text embedded a new copy: 400 entries in Polish took 37 s and 2.9 MB.
  Object.defineProperty(font, "postscriptName", { value: `${family}-${weight}` });
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
  font.layout(BOX); // before glyph 0 is used without a character, because fontkit keeps the first
  const subset = font.createSubset.bind(font);
  font.createSubset = () => {
    const made = subset();
    delete made.mapping[0];
    return made;
  };
}

/** The weights of type on a form. */
export type Weight = 400 | 700;

/** A part of a typeface that is split by character range, with its file of each weight. */
export interface FontFile {
  /** Its name as a family of its own, such as `noto-sans-greek`. */
  family: string;
  sources: Partial<Record<Weight, string>>;
  /** Whether it may have a character. The font itself may lack it. */
  covers: (codePoint: number) => boolean;
}

/**
 * The parts of a `@fontsource` package.
 * @param name the package, which is also how the names of its files begin
 * @param ranges its `unicode.json`: the characters of each part, as in CSS `unicode-range`
 * @param urls the URLs of its files, by path
 */
export function fontFiles(name: string, ranges: Record<string, string>, urls: Record<string, string>): FontFile[] {
  const byFile = new Map(Object.entries(urls).map(([path, url]) => [path.slice(path.lastIndexOf("/") + 1), url]));
  return Object.entries(ranges).flatMap(([part, range]) => {
    // Google's numbered ranges are named [0], [1]…; their files 0, 1…
    const family = `${name}-${part.replace(/[[\]]/g, "")}`;
    const sources: FontFile["sources"] = {};
    for (const weight of [400, 700] as const) {
      const url = byFile.get(`${family}-${weight}-normal.woff`);
      if (url) sources[weight] = url;
    }
    return sources[400] ? [{ family, sources, covers: within(range) }] : [];
  });
}

/** Whether a code point is in a range such as `U+0000-00FF,U+0131`. */
function within(range: string): FontFile["covers"] {
  const spans = range.split(",").map((span) => {
    const [first = "", last = first] = span.replace("U+", "").split("-");
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });
  return (codePoint) => spans.some(({ first, last }) => first <= codePoint && codePoint <= last);
}

/** The part that every form needs: its words and figures. */
export const LATIN = "noto-sans-latin";

/** Noto Sans: Latin, Vietnamese, Greek, Cyrillic. */
export const latinGreekCyrillic = fontFiles(
  "noto-sans",
  ranges,
  import.meta.glob<string>(
    [
      "/node_modules/@fontsource/noto-sans/files/*-{400,700}-normal.woff",
      // Words in Devanagari are reordered when they are set: what a reader copies from the PDF is another word.
      "!**/*-devanagari-*",
    ],
    { query: "?url", import: "default", eager: true },
  ),
);
