/** A file of a font that is split by character range. It is fetched only if a text needs it. */
export interface FontFile {
  /** Its name as a font of its own, such as `noto-sans-greek-400-normal`. It must be unique: see `loadFonts`. */
  family: string;
  src: string;
  covers: (codePoint: number) => boolean;
}

/**
 * The files of a `@fontsource` package.
 * @param ranges its `unicode.json`: the characters of each file, as in CSS `unicode-range`
 * @param urls the URLs of its files, by path
 */
export function fontFiles(ranges: Record<string, string>, urls: Record<string, string>): FontFile[] {
  return Object.entries(ranges).flatMap(([part, range]) => {
    // Google's numbered ranges are named [0], [1]…; their files 0, 1…
    const ending = `-${part.replace(/[[\]]/g, "")}-400-normal.woff`;
    const path = Object.keys(urls).find((path) => path.endsWith(ending));
    const src = path && urls[path];
    return src ? [{ family: nameOf(path), src, covers: within(range) }] : [];
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".woff".length);
}

/** Whether a code point is in a range such as `U+0000-00FF,U+0131`. */
function within(range: string): FontFile["covers"] {
  const spans = range.split(",").map((span) => {
    const [first = "", last = first] = span.replace("U+", "").split("-");
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });
  return (codePoint) => spans.some(({ first, last }) => first <= codePoint && codePoint <= last);
}
