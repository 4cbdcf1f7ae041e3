/*
 * Writes CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, or Excel takes it for Windows-1252.
 */

export const CSV_BOM = "\ufeff";

/** What a spreadsheet takes for a formula, and our own mark for it. */
const FORMULA = /^[=+\-@']/;

/**
 * A line of CSV with its end. A text that a spreadsheet would compute (`=1+1`, `@SUM`), and one that begins with `'`, gets
 * a `'` before it, which `withoutMark` removes.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === "string" ? textCell(cell) : (cell ?? ""))).join(",")}\r\n`;
}

function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was read: without the `'` of `csvLine`. A `'` before other text, as in `'t Hart`, stays. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
