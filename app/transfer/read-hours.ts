import { parseHours } from "#app/records/hours.ts";

/** How the numbers of a column are written, as far as its cells tell. */
export type DecimalMark = "." | "," | null;

/**
 * The decimal mark of a column. `1,5` and `1.234,5` tell, `1,234` does not: it may be 1234 or 1.234.
 */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  let found: DecimalMark = null;
  for (const cell of cells) {
    const number = numberIn(cell);
    const [, mark = null] = /([.,])(?:\d{1,2}|\d{4,})$/.exec(number) ?? /[.,]\d{3}([.,])\d+$/.exec(number) ?? [];
    if (mark !== "." && mark !== ",") continue;
    if (found !== null && found !== mark) return null;
    found = mark;
  }
  return found;
}

/**
 * The hours in a cell, not rounded: `7.5`, `7,5`, `7:30`, `7h30`, `7.5 hrs`, `1 234,5`. Null if it is no number, or if it
 * can be read as two.
 */
export function readHours(cell: string, mark: DecimalMark): number | null {
  const text = numberIn(cell);
  const [, hours, minutes, seconds = "0"] = /^(\d{1,6})[:h](\d{2})(?::(\d{2}))?(?:m(?:in)?)?$/.exec(text) ?? [];
  if (hours && minutes) {
    if (Number(minutes) > 59 || Number(seconds) > 59) return null;
    return Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
  }
  return parseHours(asDecimal(text, mark) ?? "");
}

/** The number with a point before its decimals; null if that is not certain. */
function asDecimal(text: string, mark: DecimalMark): string | null {
  // Groups of three: `1,234.5` and `1.234,5`, or `1,234` where the column has shown its decimal mark.
  const [, start = "", group, rest = "", other, end] =
    /^(\d{1,3})([.,])(\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text) ?? [];
  if (group && other && other !== group) return `${start}${rest.replaceAll(group, "")}.${end}`;
  if (group && !other) {
    if (mark !== null && mark !== group) return `${start}${rest.replaceAll(group, "")}`;
    if (rest.includes(group)) return `${start}${rest.replaceAll(group, "")}`;
    if (group === "," && mark === null) return null;
  }
  return text.replace(",", ".");
}

/** The longest cell that can hold hours: normalizing makes a text up to 18 times as long. */
const LENGTH_MAX = 60;

/** The cell without spaces, apostrophes between digits, and the unit. */
function numberIn(cell: string): string {
  if (cell.length > LENGTH_MAX) return cell.trim();
  return cell
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\u00a0\u202f]+/g, "")
    .replace(/(?<=\d)['’](?=\d{3})/g, "")
    .replace(/(?<=\d)(?:hours|hour|hrs|hr|std|h)\.?$/, "");
}
