/** The maximum length of a search text: `times` the length of its source, but not less than `least`. */
const LONGEST = { times: 2, least: 100 };

/** Letters with a mark that Unicode does not take apart, as people type them without it. */
const PLAIN: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  æ: "ae",
  œ: "oe",
  ß: "ss",
  þ: "th",
};
const MARKED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/**
 * The text in which a search looks: normalised (NFKC), in lower case and without accents, so that `ŁÓDŹ` and `lodz` find
 * `łódź`. It is stored in the row, because SQLite's lower() only knows ASCII. Text that NFKC makes much longer is cut (U+FDFA becomes 18
 * characters), because D1 allows no value over 2 MB.
 */
export function searchText(...parts: (string | null)[]): string {
  const text = parts.filter(Boolean).join("\n");
  const longest = Math.max(LONGEST.least, LONGEST.times * text.length);
  // Not between the halves of a surrogate pair.
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(MARKED, (letter) => PLAIN[letter] ?? letter)
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
