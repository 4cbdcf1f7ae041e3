import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Kind } from "#app/records/kind.ts";
import { type ColumnMeaning, fieldOf, isMethod } from "./columns.ts";
import { type ColumnsAt, hasTotalWord, isTotalOfTime } from "./file-rows.ts";
import type { TableRow } from "./parse-table.ts";
import { shorten } from "./read-hours.ts";
import type { ImportRecord } from "./read-row.ts";

/*
 * Rows that are read as work and may add up the rows above them: a day can have the hours of the two days before it, so only
 * the technician can decide. They are left out unless their box is cleared.
 */

/** A row that may be a total, and why. */
export interface PossibleTotal {
  row: number;
  message: string;
}

/** The hours of rows, in hundredths by method; a kind without methods has one key for all. */
class Tally {
  readonly hours = new Map<string, { hundredths: number; rows: number }>();
  hundredths = 0;
  rows = 0;

  add(row: Tally): void {
    for (const [method, { hundredths }] of row.hours) {
      const before = this.hours.get(method);
      this.hours.set(method, {
        hundredths: (before?.hundredths ?? 0) + hundredths,
        rows: (before?.rows ?? 0) + 1,
      });
    }
    this.hundredths += row.hundredths;
    this.rows += 1;
  }

  /** Whether a row is the sum of these: of each method, or, in a table with a column of methods, of its own method or in all. */
  isSumIn(row: Tally, isWide: boolean, least: number): boolean {
    const isSum = (stated: number, sum: number, rows: number) =>
      rows >= least && Math.abs(stated - sum) <= Math.min(Math.ceil(rows / 2), ROUNDED_MAX);
    const ofMethods = [...row.hours].every(([method, { hundredths }]) => {
      const own = this.hours.get(method);
      return own !== undefined && isSum(hundredths, own.hundredths, isWide ? this.rows : own.rows);
    });
    if (isWide) return ofMethods && row.hours.size === this.hours.size;
    return ofMethods || isSum(row.hundredths, this.hundredths, this.rows);
  }
}

/** The most hundredths by which a sum of rounded hours is another one. */
const ROUNDED_MAX = 3;

/** More hours than this are of several days. */
const DAY = toHundredths(24);

interface TotalRows {
  kind: Kind;
  at: ColumnsAt;
  /** The rows as they are in the file. */
  rows: readonly TableRow[];
  /** The rows that are totals for certain. */
  totals: ReadonlySet<number>;
  records: readonly ImportRecord[];
}

/**
 * The rows whose hours are the sum of two or more rows above them, since the last total or from the start, and rows that have
 * words for a total: in a row that has no date and no place of its own one word is enough.
 */
export function possibleTotals({ kind, at, rows, totals, records }: TotalRows): PossibleTotal[] {
  const hoursOf = new Map<number, Tally>();
  for (const { row, values } of records) {
    const {
      hours,
      method = "",
      broughtForward,
    } = values as {
      hours?: number;
      method?: string;
      broughtForward?: boolean;
    };
    if (hours === undefined || broughtForward) continue;
    const one = hoursOf.get(row) ?? new Tally();
    const hundredths = toHundredths(hours);
    one.hours.set(method, { hundredths: (one.hours.get(method)?.hundredths ?? 0) + hundredths, rows: 1 });
    one.hundredths += hundredths;
    hoursOf.set(row, one);
  }
  const isWide = [...at.keys()].some(isMethod);
  const [place = -1] = at.get("location") ?? [];
  const [day = -1] = at.get(kind.fields.find(({ type }) => type === "date")?.name ?? "") ?? [];
  const notWords = new Set([...at].filter(([target]) => !isOfWords(kind, target)).flatMap(([, own]) => own));
  const found: PossibleTotal[] = [];
  // In `probable` rows that are totals in all probability are none of the work; in `all` each row is work.
  const probable = { since: new Tally(), start: new Tally() };
  const all = { since: new Tally(), start: new Tally() };
  for (const { number, cells } of rows) {
    if (totals.has(number)) {
      probable.since = new Tally();
      all.since = new Tally();
    }
    const row = hoursOf.get(number);
    if (totals.has(number) || !row) continue;
    const isEmptyAt = (index: number) => index >= 0 && (cells[index] ?? "").trim() === "";
    const isWithoutDay = isEmptyAt(day) && isEmptyAt(place);
    const name =
      cells.find((cell, index) => !notWords.has(index) && isTotalOfTime(cell) && !COMPANY.test(cell)) ??
      (isWithoutDay ? cells.find((cell) => hasTotalWord(cell) && !COMPANY.test(cell)) : undefined);
    const tallies = [probable.since, all.since, probable.start, all.start];
    const isNamed = name !== undefined && all.start.rows > 0;
    const isSum = tallies.some((tally) => tally.isSumIn(row, isWide, isNamed ? 1 : 2));
    const hours = `${formatHours(row.hundredths)} h`;
    if (isSum) found.push({ row: number, message: `Row ${number} is ${hours}, the sum of rows above it.` });
    else if (isNamed) found.push({ row: number, message: `Row ${number}, ${hours}, is called “${shorten(name)}”.` });
    if (isNamed || (isSum && (isEmptyAt(place) || row.hundredths > DAY))) probable.since = new Tally();
    else {
      probable.since.add(row);
      probable.start.add(row);
    }
    all.since.add(row);
    all.start.add(row);
  }
  return found;
}

/** A company is called Total. */
const COMPANY = /^\s*totals?\s*$/i;

/** Whether a column has words of which a total can be one. */
function isOfWords(kind: Kind, target: ColumnMeaning): boolean {
  const type = fieldOf(kind, target)?.type;
  return !isMethod(target) && (type === undefined || type === "text");
}
