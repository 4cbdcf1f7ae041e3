/**
 * The text that a search looks through: compatibility-normalised (NFKC) and in lower case, so that `ŁÓDŹ` finds
 * `łódź`. It is kept beside the row because SQLite's lower() knows ASCII only.
 */
export function searchText(...parts: (string | null)[]): string {
  return parts.filter(Boolean).join("\n").normalize("NFKC").toLowerCase();
}
