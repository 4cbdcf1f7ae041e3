/** The weights of type on a form. */
export type Weight = 400 | 700;

/** A part of a typeface that is split by character range, with its file of each weight. */
export interface FontFile {
  /** Its name as a family of its own, such as `noto-sans-greek`. */
  family: string;
  sources: Partial<Record<Weight | "italic", string>>;
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
    for (const [style, ending] of [
      [400, "400-normal"],
      [700, "700-normal"],
      ["italic", "400-italic"],
    ] as const) {
      const url = byFile.get(`${family}-${ending}.woff`);
      if (url) sources[style] = url;
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
