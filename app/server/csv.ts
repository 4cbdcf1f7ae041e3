/*
 * Writes CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, or Excel takes it for Windows-1252.
 */

export const CSV_BOM = "\ufeff";

/**
 * Where a cell can begin: at the start of the text, and after a separator. A spreadsheet that separates by semicolons or
 * tabs, as in Germany, does not see our quotation marks, for they are not at the start of its cells. So a line break ends
 * a row there, and text after a quotation mark begins a cell too (`""=1+1` is computed).
 */
const START = '(^|[,;\\t\\r\\n"])';

/**
 * Text that a spreadsheet takes for a formula, also in full width, as in Japan; and the mark that `csvLine` puts before
 * it.
 */
const FORMULA = "(?=[=+\\-@＝＋－＠'])";

const UNMARKED = new RegExp(START + FORMULA, "g");
const MARKED = new RegExp(`${START}'${FORMULA}`, "g");

/**
 * Returns a line of CSV with its end. Text that a spreadsheet would compute (`=1+1`, `@SUM`, also after `;`), and text
 * that begins with `'`, gets a `'` before it, which `withoutMarks` removes.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === "string" ? textCell(cell) : (cell ?? ""))).join(",")}\r\n`;
}

function textCell(text: string): string {
  const safe = text.replace(UNMARKED, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was read: without the `'` of `csvLine`. A `'` before other text, as in `'t Hart`, stays. */
export function withoutMarks(cell: string): string {
  return cell.replace(MARKED, "$1");
}

/** Returns the heading of a field's column, which an import recognizes: for `startDate` it is `Start date`. */
export function headingOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
