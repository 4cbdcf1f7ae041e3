import type { Method } from "#app/db/enumerations.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Kind } from "#app/records/kind.ts";
import { type ColumnMeaning, isMethod, methodIn, plainHeading, START_TIME } from "./columns.ts";
import type { TableRow } from "./parse-table.ts";
import { monthNamed } from "./read-date.ts";
import { decimalMarkOf, readHours, shorten } from "./read-hours.ts";

/*
 * The rows of a file before their cells are read: cells that repeat a value above, rows that are totals, and its words.
 */

/** A problem of a cell: its row as a spreadsheet numbers it, and its column's name in the file. */
export interface Problem {
  row: number;
  column: string;
  message: string;
}

/**
 * A note of the preview about a column: values that were read otherwise than they are written, or left out. `rows` have
 * them.
 */
export interface Note {
  column: string;
  message: string;
  rows: number;
}

/** The meanings of words for methods, by their `keyOf`: one method, or two that share the hours of their row. */
export type MethodValues = { [word: string]: Method | [Method, Method] };

/** A word of the file as it is first written, and how many rows have it. */
export interface CountedWord {
  word: string;
  rows: number;
}

/** How many unknown words a preview lists, the most frequent ones. */
export const WORDS_SHOWN = 100;

/** Where the columns with a meaning are: hours of one method can be in several. */
export type ColumnsAt = ReadonlyMap<ColumnMeaning, readonly number[]>;

export function cellsAt(at: ColumnsAt, { cells }: TableRow, target: ColumnMeaning): string[] {
  return (at.get(target) ?? []).map((index) => cells[index] ?? "");
}

export function columnOf(columns: readonly string[], at: ColumnsAt, target: ColumnMeaning): string {
  return columns[at.get(target)?.[0] ?? -1] ?? "";
}

/** The notes on a file: one of a kind for each column, with its first cell and how many rows have it. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  add(column: string, message: string, rows: number, kind = message): void {
    const key = `${column}\n${kind}`;
    const before = this.#notes.get(key);
    if (before) before.rows += rows;
    else this.#notes.set(key, { column, message, rows });
  }

  addAll(notes: readonly Note[]): void {
    for (const { column, message, rows } of notes) this.add(column, message, rows);
  }

  list(): Note[] {
    return [...this.#notes.values()].map((note) => ({ ...note }));
  }
}

/** A mark that repeats the cell above it. */
const DITTO = /^\s*(?:["“”„″〃]|''|´´|,,|-\s*["“”„″]\s*-|idem|id\.|do\.|dito\.?|ditto)\s*$/i;

/**
 * The rows with the value above in each cell with a ditto mark, and in the empty cells of dates and places in a row with hours:
 * cells that were merged are empty but the first one.
 */
export function withValuesAbove(
  { fields }: Kind,
  rows: readonly TableRow[],
  at: ColumnsAt,
  say: (index: number, message: string, reason: string) => void,
): TableRow[] {
  const isOfHours = (target: ColumnMeaning) =>
    isMethod(target) || target === START_TIME || fields.find(({ name }) => name === target)?.type === "hours";
  const hours = [...at].filter(([target]) => isOfHours(target)).flatMap(([, own]) => own);
  const first = [fields.find(({ type }) => type === "date")?.name, "location"].flatMap(
    (target) => at.get(target ?? "") ?? [],
  );
  const repeated = [...at].filter(([target]) => !isOfHours(target)).flatMap(([, own]) => own);
  const above = new Map<number, string>();
  return rows.map((row) => {
    const cells = [...row.cells];
    const hasHours = hours.some((index) => (cells[index] ?? "").trim() !== "");
    for (const index of repeated) {
      const cell = cells[index] ?? "";
      const isDitto = DITTO.test(cell);
      const value = above.get(index) ?? "";
      if (isDitto || (cell.trim() === "" && hasHours && value !== "" && first.includes(index))) {
        cells[index] = value;
        const shown = value === "" ? "nothing" : `“${shorten(value)}”`;
        if (isDitto) say(index, `“${shorten(cell)}” is read as the cell above, ${shown}.`, "ditto");
        else say(index, `An empty cell is read as the cell above, ${shown}.`, "empty");
      } else above.set(index, cell);
    }
    return { ...row, cells };
  });
}

/** Returns the notes about the columns that are not read: the sums of their numbers. */
export function unreadColumns(
  columns: readonly string[],
  mapping: readonly (ColumnMeaning | null)[],
  rows: readonly TableRow[],
): Note[] {
  return columns.flatMap((column, index) => {
    if (mapping[index]) return [];
    const filled = rows.flatMap(({ cells }) => (cells[index]?.trim() ? [cells[index]] : []));
    const sum = sumOfNumbers(filled);
    const message = `This column is not read: its numbers add up to ${sum}.`;
    return sum === null ? [] : [{ column, message, rows: filled.length }];
  });
}

/** The sum of a column of numbers, such as hours of a method that the app does not have; null for any other column. */
function sumOfNumbers(filled: readonly string[]): number | null {
  const mark = decimalMarkOf(filled);
  const numbers = filled.flatMap((cell) => (/\p{L}/u.test(cell) ? [] : (readHours(cell, mark) ?? [])));
  if (numbers.length === 0 || numbers.length < filled.length) return null;
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) * 100) / 100;
}

/** The stated total, and the sum of the rows above it since the total before it, in hundredths. */
interface Total {
  /** Whether it is the sum of these rows, or of all rows above it. */
  isSum: boolean;
  stated: number;
  sum: number;
}

/** The rows that call themselves a total, by their number, with the numbers in the columns of hours. */
export function totalsIn(
  rows: readonly TableRow[],
  columns: readonly number[],
  namesTotal: (row: TableRow) => boolean,
): Map<number, Total> {
  const found = new Map<number, Total>();
  const mark = decimalMarkOf(rows.flatMap(({ cells }) => columns.map((index) => cells[index] ?? "")));
  const add = (sums: readonly number[], numbers: readonly number[]) =>
    sums.map((sum, index) => sum + (numbers[index] ?? 0));
  const none = columns.map(() => 0);
  let [since, all] = [none, none];
  for (const row of rows) {
    const numbers = columns.map((index) => toHundredths(readHours(row.cells[index] ?? "", mark) ?? 0));
    const isOf = (sums: readonly number[]) =>
      numbers.some((number) => number > 0) && numbers.every((number, index) => number === sums[index]);
    if (namesTotal(row)) {
      const [stated, sum] = [numbers, since].map((list) => list.reduce((total, one) => total + one, 0));
      found.set(row.number, { isSum: isOf(since) || isOf(all), stated: stated ?? 0, sum: sum ?? 0 });
      since = none;
    } else [since, all] = [add(since, numbers), add(all, numbers)];
  }
  return found;
}

/** Returns the notes about totals without a date between rows of work that are not the sum of the rows above them. */
export function totalsBetween(
  totals: readonly TableRow[],
  work: readonly TableRow[],
  columns: readonly number[],
): Note[] {
  const isTotalRow = new Set(totals);
  const last = work.at(-1)?.number ?? 0;
  const rows = [...work, ...totals].sort((one, other) => one.number - other.number);
  return [...totalsIn(rows, columns, (row) => isTotalRow.has(row))].flatMap(([number, { isSum, stated, sum }]) => {
    if (isSum || stated === 0 || number > last) return [];
    const isFirst = work.every((row) => row.number > number);
    const message = isFirst
      ? `The total in row ${number}, ${formatHours(stated)} h, has no rows above it: it is not imported.`
      : `The total in row ${number} is ${formatHours(stated)}, but the rows above it add up to ${formatHours(sum)}.`;
    return [{ column: "", message, rows: 0 }];
  });
}

/** The row with the file's own total: the last one that is neither a subtotal nor between the rows of work. */
export function statingRow(totals: readonly TableRow[], work: readonly TableRow[]): TableRow | undefined {
  const [first = 0, last = 0] = [work[0]?.number, work.at(-1)?.number];
  return totals.findLast(
    ({ number, cells }) =>
      (number < first || number > last) &&
      !cells.some((cell) => isTotalName(cell) && SUBTOTAL.test(plainHeading(cell))),
  );
}

export function notTheSum({ number, cells }: TableRow, sum: number): Problem {
  const name = shorten(cells.find(isTotalOfTime) ?? "");
  const message = `“${name}” looks like a total, but the rows above it add up to ${formatHours(sum)} h. Correct it, or give the row a place.`;
  return { row: number, column: "", message };
}

/** Whether a cell names a total and nothing else but its time: `Total October`, `Sum week 43`. A company can be called Total. */
export function isTotalOfTime(cell: string): boolean {
  if (cell.length > TOTAL_LENGTH || !TOTAL_PART.test(cell)) return false;
  const words = plainHeading(cell).replace(CARRIED, "total").split(" ");
  return words.some((word) => TOTAL.test(word)) && words.every((word) => TOTAL.test(word) || isTimeWord(word));
}

const TIME_WORD =
  /^(?:\d+|for|of|the|to|date|week|month|year|hours|hrs|weekly|monthly|yearly|annual|quarterly|running|woche|monat|jahr|stunden|mois|semaine|general|heures|mes|mese|horas|maand|jaar|uren|uke|vecka|timer|tydzien|miesiac|godzin)$/;

function isTimeWord(word: string): boolean {
  return TIME_WORD.test(word) || monthNamed(word) !== undefined;
}

/** The methods that some of the listed words name besides other words. */
export function guessed(words: readonly CountedWord[]): MethodValues {
  return Object.fromEntries(
    words.slice(0, WORDS_SHOWN).flatMap(({ word }): [string, Method][] => {
      const method = methodIn(word);
      return method ? [[keyOf(word), method]] : [];
    }),
  );
}

/** The names of a row that adds up others, as `plainHeading` leaves them, and what each of them contains. */
const TOTAL =
  /^(?:grand |sub ?|zwischen|end|monats|wochen|tages|jahres|maand|week|dag|jaar|eind)?(?:totals?|totaal|totalt|sum|summe?|som(?:me)?|suma|soma|σ|(?:ins)?gesamt|razem|łacznie|ogołem|podsumowanie|ubertrag|ytd)(?: ?(?:hours|hrs|general|uren|stunden|(?:des |d )?heures|(?:de )?horas|godzin|timer))?$/;
const TOTAL_PART = /tot|sum|som|gesamt|razem|cznie|[σς]|bertrag|og[oó][lł]em|ytd|forward/i;
const SUBTOTAL = /^(?:sub|zwischen|monats|wochen|tages|maand|week|dag)/;

/** Sums that are carried over, and an abbreviation that is a word of its own elsewhere. */
const CARRIED = /^(?:carried forward|tot(?= |$))/;

/** The longest cell that can name a total: a file can have 500,000 cells, so most of them must be cheap. */
const TOTAL_LENGTH = 40;

function isTotalName(cell: string): boolean {
  return cell.length <= TOTAL_LENGTH && TOTAL_PART.test(cell) && TOTAL.test(plainHeading(cell));
}

/** Whether one of a cell's words is a total: `Total hours c/f`, `RT total`. */
export function hasTotalWord(cell: string): boolean {
  return (
    cell.length <= TOTAL_LENGTH &&
    TOTAL_PART.test(cell) &&
    plainHeading(cell)
      .split(" ")
      .some((word) => TOTAL.test(word))
  );
}

/**
 * Whether a cell names a total, in the columns of dates and places also with its time: `Totaal jan`. A row of work can do so
 * too, for a company called Total, but then it has a date.
 */
export function isTotal({ cells }: TableRow, firsts: readonly number[]): boolean {
  return cells.some(isTotalName) || firsts.some((index) => isTotalOfTime(cells[index] ?? ""));
}

/** The length up to which words or names of a file are compared. */
const WORD_LENGTH = 200;

/** A cell as a word or a name: in one line, cut to 200 characters. */
function wordOf(cell: string): string {
  return cell
    .slice(0, 2 * WORD_LENGTH)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, WORD_LENGTH)
    .replace(/[\ud800-\udbff]$/, "") // half of a character
    .trimEnd();
}

/** Returns the key that two spellings of a word share. */
export function keyOf(cell: string): string {
  return wordOf(cell).toLowerCase();
}

/** The different words in cells, the most frequent first. Empty cells are none. */
export function countedWords(cells: readonly string[]): CountedWord[] {
  const counts = new Map<string, CountedWord>();
  for (const cell of cells) {
    const word = wordOf(cell);
    const counted = counts.get(word.toLowerCase());
    if (counted) counted.rows += 1;
    else if (word) counts.set(word.toLowerCase(), { word, rows: 1 });
  }
  return [...counts.values()].sort((one, other) => other.rows - one.rows);
}

/** Returns the meaning that was chosen for a word. A word can be `constructor`. */
export function meaningOf(methods: MethodValues, word: string): MethodValues[string] | undefined {
  const key = keyOf(word);
  return Object.hasOwn(methods, key) ? methods[key] : undefined;
}
