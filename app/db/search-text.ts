/** The maximum length of a search text: `times` the length of its source, but not less than `least`. */
const LONGEST = { times: 2, least: 100 };

/**
 * The text in which a search looks: normalised (NFKC) and in lower case, so that `ŁÓDŹ` finds `łódź`. It is stored in
 * the row, because SQLite's lower() only knows ASCII. Text that NFKC makes much longer is cut (U+FDFA becomes 18
 * characters), because D1 allows no value over 2 MB.
 */
export function searchText(...parts: (string | null)[]): string {
  const text = parts.filter(Boolean).join("\n");
  const longest = Math.max(LONGEST.least, LONGEST.times * text.length);
  // Not between the halves of a surrogate pair.
  return text
    .normalize("NFKC")
    .toLowerCase()
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
