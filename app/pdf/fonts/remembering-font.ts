/** What of fontkit's fonts is changed here. Its package has no types; `_getTableStream` is of fontkit 2.0.4. */
interface Remembering {
  stream: TableStream;
  _getTableStream(tag: string): TableStream | null;
  layout(text: string, features?: object, ...more: unknown[]): unknown;
}

interface TableStream {
  pos: number;
}

/**
 * Makes a font of a WOFF file remember what it did: with fonts that do not, a PDF in Polish or Japanese took 1.7 times
 * as long as one in English.
 */
export function remember(font: object): void {
  const remembering = font as Remembering; // see there
  unpackOnce(remembering);
  shapeOnce(remembering);
}

/** fontkit unpacks the outlines of all glyphs again for each glyph. Here each table is unpacked once. */
function unpackOnce(font: Remembering): void {
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

/** The same words are in many rows. The PDF library does not change the glyphs that it is given. */
function shapeOnce(font: Remembering): void {
  const shaped = new Map<string, unknown>();
  const shape = font.layout.bind(font);
  font.layout = (text, features, ...more) => {
    if (features) return shape(text, features, ...more);
    const key = [text, ...more].join("\0");
    const known = shaped.get(key) ?? shape(text, features, ...more);
    shaped.set(key, known);
    return known;
  };
}
