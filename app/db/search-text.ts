/** How long a search text may be, for each character that it is made from, and at least. */
const LONGEST = { times: 3, least: 100 };

/**
 * The text that a search looks through: compatibility-normalised (NFKC) and in lower case, so that `ŁÓDŹ` finds
 * `łódź`. It is kept beside the row because SQLite's lower() knows ASCII only. NFKC makes 18 characters of U+FDFA, and
 * D1 takes no value of more than 2 MB: what is longer than any place or name becomes is cut.
 */
export function searchText(...parts: (string | null)[]): string {
  const text = parts.filter(Boolean).join("\n");
  const longest = Math.max(LONGEST.least, LONGEST.times * text.length);
  // Not in the middle of a character.
  return text
    .normalize("NFKC")
    .toLowerCase()
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
