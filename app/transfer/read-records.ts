import { formatDate } from "#app/calendar-date.ts";
import type { Method } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import { formatHours, hoursInWords, parseHours, plainNumber, toHundredths, withoutUnit } from "#app/records/hours.ts";
import { choiceLabel, type Field, type Kind } from "#app/records/kind.ts";
import {
  type ColumnMeaning,
  fieldOf,
  isMethod,
  isOfMethod,
  meaningLabel,
  methodIn,
  methodNamed,
  missingMeanings,
  PERSON,
  plainHeading,
} from "./columns.ts";
import { ROWS_MAX, type Table, type TableRow } from "./parse-table.ts";
import { type DateOrder, monthNamed, orderOf, readDate, readDays } from "./read-date.ts";

/** How the numbers of a column are written, as far as its cells tell. */
type DecimalMark = "." | "," | null;

const OTHER_MARK: { [mark: string]: DecimalMark } = { ".": ",", ",": "." };

/**
 * The decimal mark of a column. `1,5`, `0,125` and `1.234,5` tell, and `1,234,567` that it is the other one; `1,234` and
 * `1.234` do not: they may be 1234 or 1.234.
 */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  let found: DecimalMark = null;
  for (const cell of cells) {
    const number = numberIn(cell);
    const [, group] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/.exec(number) ?? [];
    const [, decimal] = /([.,])(?:\d{1,2}|\d{4,})$/.exec(number) ?? /(?:^0|[.,]\d{3})([.,])\d+$/.exec(number) ?? [];
    const mark = group ? OTHER_MARK[group] : decimal;
    if (mark !== "." && mark !== ",") continue;
    if (found !== null && found !== mark) return null;
    found = mark;
  }
  return found;
}

/**
 * The hours in a cell, not rounded: as people type them in a form (`hoursInWords`), and numbers with groups of three, such as
 * `1 234,5`. Null if it is no number, or if it can be read as two.
 */
export function readHours(cell: string, mark: DecimalMark): number | null {
  const plain = plainNumber(cell);
  if (plain === null) return null;
  const hours = hoursInWords(plain);
  return hours === undefined ? parseHours(asDecimal(numberIn(cell), mark) ?? "") : hours;
}

/** The number with a point before its decimals; null if that is not certain. */
function asDecimal(text: string, mark: DecimalMark): string | null {
  // Groups of three: `1,234.5` and `1.234,5`, or `1,234` where the column has shown its decimal mark.
  const [, start = "", group, rest = "", other, end] =
    /^(\d{1,3})([.,])(\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text) ?? [];
  if (group && other && other !== group) return `${start}${rest.replaceAll(group, "")}.${end}`;
  if (group && !other && !/^0+$/.test(start)) {
    if (mark !== null && mark !== group) return `${start}${rest.replaceAll(group, "")}`;
    if (rest.includes(group)) return `${start}${rest.replaceAll(group, "")}`;
    if (mark === null) return null;
  }
  return text.replace(",", ".");
}

/** The cell without spaces, apostrophes between digits, and the unit. */
function numberIn(cell: string): string {
  const plain = plainNumber(cell);
  return plain === null ? cell.trim() : withoutUnit(plain).replace(/ |(?<=\d)['’](?=\d{3})/g, "");
}

/** What is wrong with a cell: its row as a spreadsheet numbers it, and its column's name in the file. */
export interface Problem {
  row: number;
  column: string;
  message: string;
}

/** What the preview says of a column: what was read otherwise than it is written, or left out. `rows` have it. */
export interface Note {
  column: string;
  message: string;
  rows: number;
}

/** A record that a row describes, valid for its kind. A row of a wide log describes one for each method. */
export interface ImportRecord {
  row: number;
  values: object;
}

/** What words for methods mean, by their `keyOf`: one method, or two that share the hours of their row. */
export type MethodValues = { [word: string]: Method | [Method, Method] };

/** What the technician chose about a file besides what its columns mean. */
export interface ReadChoices {
  /** Null as long as it was not chosen. */
  dateOrder: DateOrder | null;
  methods: MethodValues;
  /** Whose rows they are, if the file has those of several people. */
  person: string | null;
}

/** A word of the file as it is first written, and how many rows have it. */
export interface CountedWord {
  word: string;
  rows: number;
}

export interface ReadTable {
  /** The rows that are read: neither totals nor, in a file of several people, the rows of the others. */
  read: TableRow[];
  /** The rows that add up others. */
  totals: TableRow[];
  /** The names in the column of the people, those with the most rows first. */
  people: string[];
  /** Whose rows are read; null if nobody was chosen, or somebody who is not in the file. */
  person: string | null;
  /** The words for methods that are not known, the most frequent first, also those that were chosen. */
  unknownMethods: CountedWord[];
  /** What they were chosen to mean; if nothing was chosen yet, those that name one method besides other words mean it. */
  methods: MethodValues;
  /** The total that the file itself states, in hundredths; null without one, and for a file of several people. */
  stated: number | null;
  /** The order of the dates; null if the technician must choose it first. Then there are no records. */
  dateOrder: DateOrder | null;
  /** A date that can be read in two ways, if the order is not chosen yet. */
  ambiguous: string | null;
  /** Whether rows could be read: every field has its column, and the order of the dates is known. */
  isReadable: boolean;
  records: ImportRecord[];
  /** The first problems, as many as a file has rows at most: a wide row alone can have eleven. */
  problems: Problem[];
  notes: Note[];
  /** How many rows have a problem, and how many of them no other one than a word for a method that means nothing yet. */
  wrong: number;
  unnamed: number;
}

/** The most records that an import creates. A row of a wide log has one for each method. */
const IMPORT_RECORDS_MAX = 10_000;

/** How many unknown words a preview lists, the most frequent ones. */
export const WORDS_SHOWN = 100;

/** How the message about a word for a method that is not known ends. */
export const NOT_A_METHOD = "is not a known method. Choose what it means, or correct it.";

/** The longest part of a cell in a message. */
const SHOWN_MAX = 40;

/**
 * The records in the rows of a file, checked by the schema that new records have, and the problems.
 * @throws {AppError} 400 for more records than an import may create
 */
export function readTable(
  kind: Kind,
  { columns, header, rows: all }: Table,
  mapping: readonly (ColumnMeaning | null)[],
  {
    dateOrder: chosenOrder,
    methods: chosen,
    person: chosenPerson,
  }: Omit<ReadChoices, "methods"> & {
    /** Null if nothing was chosen yet. */
    methods: MethodValues | null;
  },
): ReadTable {
  const at = new Map<ColumnMeaning, number[]>();
  for (const [index, target] of mapping.entries()) if (target) at.set(target, [...(at.get(target) ?? []), index]);
  const cellOf = (row: TableRow, target: ColumnMeaning) => cellsAt(at, row, target)[0] ?? "";
  const targetsLike = (type: Field["type"]) =>
    kind.fields.filter((field) => field.type === type && at.has(field.name)).map(({ name }) => name);
  const dateTargets = [...targetsLike("date"), ...targetsLike("expiry")];
  const hasDate = (row: TableRow) => dateTargets.some((target) => isDate(cellOf(row, target)));
  // The place of a dated total is its name, or empty, and a long table has no method there.
  const namesTotal = (row: TableRow) =>
    hasDate(row) &&
    (isTotalOfTime(cellOf(row, "location")) ||
      (cellOf(row, "location").trim() === "" && row.cells.some(isTotalOfTime))) &&
    targetsLike("method").every((target) => cellOf(row, target).trim() === "");
  const dated = datedTotals(
    all,
    [...at].filter(([target]) => isMethod(target) || target === "hours").flatMap(([, own]) => own),
    namesTotal,
  );
  const totals = all.filter((row) => dated.get(row.number)?.isSum ?? (!hasDate(row) && isTotal(row)));
  const isOfTotals = new Set(totals);
  const notes = new Notes();
  const work = withValuesAbove(
    kind,
    all.filter((row) => !isOfTotals.has(row)),
    at,
    (index, message, reason) => notes.add(columns[index] ?? "", message, 1, reason),
  );
  const people = at.has(PERSON) ? countedWords(work.map((row) => cellOf(row, PERSON))).map(({ word }) => word) : [];
  const person = people.find((name) => keyOf(name) === keyOf(chosenPerson ?? "")) ?? null;
  const rows = people.length > 1 && person ? work.filter((row) => keyOf(cellOf(row, PERSON)) === keyOf(person)) : work;
  const cellsOf = (target: ColumnMeaning) => rows.map((row) => cellOf(row, target));
  const unknownMethods = countedWords(
    targetsLike("method")
      .flatMap(cellsOf)
      .filter((cell) => !methodNamed(cell)),
  );
  const chosenMethods = chosen ?? guessed(unknownMethods);
  const order = orderOf(dateTargets.flatMap(cellsOf));
  const dateOrder = chosenOrder ?? order.order;
  const ambiguous = chosenOrder ? null : order.ambiguous;
  const found = {
    ...{ read: rows, totals, people, person, unknownMethods, methods: chosenMethods },
    ...{ stated: null, dateOrder, ambiguous, unnamed: 0, notes: [] },
  };
  const unread = (problems: Problem[], wrong: number) => ({
    ...found,
    isReadable: false,
    records: [],
    problems,
    wrong,
  });
  const missing = missingMeanings(kind, mapping);
  if (missing.length > 0) {
    const problems = missing.map((target) => ({
      row: header,
      column: meaningLabel(target),
      message: `Choose the column of the ${meaningLabel(target).toLowerCase()}.`,
    }));
    return unread(problems, rows.length);
  }
  if (people.length > 1 && !person) {
    const column = columnOf(columns, at, PERSON);
    const message = `Choose whose rows to import: the file has the rows of ${people.length} people.`;
    return unread([{ row: header, column, message }], 0);
  }
  if (!dateOrder) {
    const row = rows.find((row) => dateTargets.some((target) => cellOf(row, target) === ambiguous));
    const target = dateTargets.find((target) => rows.some((one) => cellOf(one, target) === ambiguous));
    const column = columnOf(columns, at, target ?? "");
    const message = `Choose the order of day, month and year: “${shorten(ambiguous ?? "")}” can be read in several ways.`;
    return unread([{ row: row?.number ?? header, column, message }], 0);
  }
  const methods = [...at.keys()].filter(isMethod);
  const hourTargets = methods.length > 0 ? methods : targetsLike("hours");
  const hours = hourTargets.flatMap((target) => rows.flatMap((row) => cellsAt(at, row, target)));
  const mark = decimalMarkOf(hours);
  const unclear = mark === null ? hours.find((cell) => /[.,]\d{3}/.test(cell) && unclearNumber(cell)) : undefined;
  const isFraction = areFractions(hours);
  for (const target of methods) {
    const own = (at.get(target) ?? []).map((index) => `“${shorten(columns[index] ?? "")}”`);
    if (own.length > 1) notes.add("", `${own.join(" and ")} mean ${meaningLabel(target)}, and are added up.`, 0);
  }
  const reader = {
    ...{ kind, columns, at, methods, chosenMethods },
    read: (target: ColumnMeaning, index: number, cell: string) => {
      if (SHEET_ERROR.test(cell))
        return { message: `“${cell.trim()}” is an error of the spreadsheet. Correct its formula, or write the value.` };
      const { type, choices } = isMethod(target)
        ? { type: "hours" as const }
        : (fieldOf(kind, target) ?? choiceDetail(kind, target));
      const column = columns[index] ?? "";
      const one =
        type === "hours"
          ? readHoursCell(cell, { mark, unclear, isFraction, unit: unitIn(column) })
          : read({ type, ...(choices && { choices }) }, cell, dateOrder, kind);
      if ("said" in one && one.said)
        notes.add(column, `“${shorten(cell)}” is ${one.said}.`, 1, one.said.replace(/^read as \d[^,]*|\d/g, ""));
      return one;
    },
  };
  const records: ImportRecord[] = [];
  const problems: Problem[] = [];
  let wrong = 0;
  let unnamed = 0;
  for (const row of rows) {
    const total = dated.get(row.number);
    const read = total ? { records: [], problems: [notTheSum(row, total.sum)] } : readRow(reader, row);
    records.push(...read.records);
    if (records.length > IMPORT_RECORDS_MAX) throw tooManyRecords();
    problems.push(...read.problems.slice(0, ROWS_MAX - problems.length));
    if (read.problems.length === 0) continue;
    wrong += 1;
    if (read.problems.every(({ message }) => message.endsWith(NOT_A_METHOD))) unnamed += 1;
  }
  const listed = notes.list();
  // A total with a date is that of a month.
  const stated =
    people.length > 1
      ? null
      : statedTotal(
          reader,
          totals.filter((row) => !hasDate(row)),
        );
  for (const [index, column] of columns.entries()) {
    if (mapping[index]) continue;
    const filled = rows.flatMap(({ cells }) => (cells[index]?.trim() ? [cells[index]] : []));
    const sum = sumOfNumbers(filled);
    if (sum !== null)
      listed.push({ column, message: `This column is not read: its numbers add up to ${sum}.`, rows: filled.length });
  }
  return { ...found, stated, isReadable: true, records, problems, notes: listed, wrong, unnamed };
}

/** What a spreadsheet shows instead of the result of a formula. */
const SHEET_ERROR = /^\s*#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|BLOCKED!|FIELD!)\s*$/;

/** Where the columns with a meaning are: hours of one method can be in several. */
type ColumnsAt = ReadonlyMap<ColumnMeaning, readonly number[]>;

function cellsAt(at: ColumnsAt, { cells }: TableRow, target: ColumnMeaning): string[] {
  return (at.get(target) ?? []).map((index) => cells[index] ?? "");
}

function columnOf(columns: readonly string[], at: ColumnsAt, target: ColumnMeaning): string {
  return columns[at.get(target)?.[0] ?? -1] ?? "";
}

/** The notes on a file: one of a kind for each column, with its first cell and how many rows have it. */
class Notes {
  readonly #notes = new Map<string, Note>();

  add(column: string, message: string, rows: number, kind = message): void {
    const key = `${column}\n${kind}`;
    const before = this.#notes.get(key);
    if (before) before.rows += rows;
    else this.#notes.set(key, { column, message, rows });
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
function withValuesAbove(
  { fields }: Kind,
  rows: readonly TableRow[],
  at: ColumnsAt,
  say: (index: number, message: string, reason: string) => void,
): TableRow[] {
  const isOfHours = (target: ColumnMeaning) =>
    isMethod(target) || fields.find(({ name }) => name === target)?.type === "hours";
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

/** The sum of a column of numbers, such as hours of a method that the app does not have; null for any other column. */
function sumOfNumbers(filled: readonly string[]): number | null {
  const mark = decimalMarkOf(filled);
  const numbers = filled.flatMap((cell) => (/\p{L}/u.test(cell) ? [] : (readHours(cell, mark) ?? [])));
  if (numbers.length === 0 || numbers.length < filled.length) return null;
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) * 100) / 100;
}

/**
 * The rows with a date that call themselves a total, and the sum of the rows above each of them, up to the total before it.
 * By the numbers of the rows; in hundredths.
 */
function datedTotals(rows: readonly TableRow[], columns: readonly number[], namesTotal: (row: TableRow) => boolean) {
  const found = new Map<number, { isSum: boolean; sum: number }>();
  const mark = decimalMarkOf(rows.flatMap(({ cells }) => columns.map((index) => cells[index] ?? "")));
  let sums = columns.map(() => 0);
  for (const row of rows) {
    const numbers = columns.map((index) => toHundredths(readHours(row.cells[index] ?? "", mark) ?? 0));
    if (namesTotal(row)) {
      const isSum = numbers.some((number) => number > 0) && numbers.every((number, index) => number === sums[index]);
      found.set(row.number, { isSum, sum: sums.reduce((sum, one) => sum + one, 0) });
      sums = columns.map(() => 0);
    } else sums = sums.map((sum, index) => sum + (numbers[index] ?? 0));
  }
  return found;
}

function notTheSum({ number, cells }: TableRow, sum: number): Problem {
  const name = shorten(cells.find(isTotalOfTime) ?? "");
  const message = `“${name}” looks like a total, but the rows above it add up to ${formatHours(sum)} h. Correct it, or give the row a place.`;
  return { row: number, column: "", message };
}

/** Whether a cell names a total and nothing else but its time: `Total October`, `Sum week 43`. A company can be called Total. */
function isTotalOfTime(cell: string): boolean {
  if (cell.length > TOTAL_LENGTH || !TOTAL_PART.test(cell)) return false;
  const words = plainHeading(cell).split(" ");
  return words.some((word) => TOTAL.test(word)) && words.every((word) => TOTAL.test(word) || isTimeWord(word));
}

const TIME_WORD =
  /^(?:\d+|for|of|the|week|month|year|hours|hrs|woche|monat|jahr|mois|semaine|mes|mese|maand|uke|vecka|tydzien|miesiac)$/;

function isTimeWord(word: string): boolean {
  return TIME_WORD.test(word) || monthNamed(word) !== undefined;
}

/** The methods that some of the listed words name besides other words. */
function guessed(words: readonly CountedWord[]): MethodValues {
  return Object.fromEntries(
    words.slice(0, WORDS_SHOWN).flatMap(({ word }): [string, Method][] => {
      const method = methodIn(word);
      return method ? [[keyOf(word), method]] : [];
    }),
  );
}

/** The names of a row that adds up others, as `plainHeading` leaves them, and what each of them contains. */
const TOTAL =
  /^(?:grand |sub ?|zwischen)?(?:totals?|totaal|totalt|sum|summe?|somme|suma|soma|(?:ins)?gesamt|razem|łacznie)(?: ?(?:hours|hrs|general|uren|stunden|(?:des |d )?heures|(?:de )?horas|godzin|timer))?$/;
const TOTAL_PART = /tot|sum|som|gesamt|razem|cznie/i;
const SUBTOTAL = /^(?:sub|zwischen)/;

/** The longest cell that can name a total: a file can have 500,000 cells, so most of them must be cheap. */
const TOTAL_LENGTH = 40;

function isTotalName(cell: string): boolean {
  return cell.length <= TOTAL_LENGTH && TOTAL_PART.test(cell) && TOTAL.test(plainHeading(cell));
}

/** Whether a cell names a total. A row of work can do so too, for a company called Total, but then it has a date. */
function isTotal({ cells }: TableRow): boolean {
  return cells.some(isTotalName);
}

function isDate(cell: string): boolean {
  return (readDate(cell, "dmy") ?? readDate(cell, "mdy")) !== null;
}

/** The longest word or name of a file that is told from others. */
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

/** What two spellings of a word have in common. */
export function keyOf(cell: string): string {
  return wordOf(cell).toLowerCase();
}

/** The different words in cells, the most frequent first. Empty cells are none. */
function countedWords(cells: readonly string[]): CountedWord[] {
  const counts = new Map<string, CountedWord>();
  for (const cell of cells) {
    const word = wordOf(cell);
    const counted = counts.get(word.toLowerCase());
    if (counted) counted.rows += 1;
    else if (word) counts.set(word.toLowerCase(), { word, rows: 1 });
  }
  return [...counts.values()].sort((one, other) => other.rows - one.rows);
}

/** What a word was chosen to mean. A word can be `constructor`. */
export function meaningOf(methods: MethodValues, word: string): MethodValues[string] | undefined {
  const key = keyOf(word);
  return Object.hasOwn(methods, key) ? methods[key] : undefined;
}

/** The hours in the last total of all rows: in the column of hours, or in the columns of all methods. */
function statedTotal({ at, methods, read }: Reader, totals: readonly TableRow[]): number | null {
  const row = totals.findLast(
    ({ cells }) => !cells.some((cell) => isTotalName(cell) && SUBTOTAL.test(plainHeading(cell))),
  );
  const targets = methods.length > 0 ? methods : ["hours"];
  const hours = targets.flatMap((target) =>
    (at.get(target) ?? []).flatMap((index) => {
      const cell = read(target, index, row?.cells[index] ?? "");
      return "value" in cell && typeof cell.value === "number" ? [toHundredths(cell.value)] : [];
    }),
  );
  return hours.length > 0 ? hours.reduce((sum, one) => sum + one, 0) : null;
}

function tooManyRecords(): AppError {
  const max = IMPORT_RECORDS_MAX.toLocaleString("en");
  return new AppError(
    "invalid",
    `These rows are more than ${max} records. Import them in parts of at most ${max} records.`,
  );
}

/** A cell's value for the schema, and what the preview says of it; or why it has none. */
type Cell = { value: unknown; said?: string | null } | { message: string };

/** The unit of a column of hours, by its heading: `Duration (min)`, `Minutes`, `Days`. */
type Unit = "minutes" | "days" | null;

const UNIT_MINUTES =
  /(?:^|[\s([,/])(?:min|mins|minutes?|minuten|minut[oi]s?|minuti|minutter|minuter|minuty)\.?[\s)\]]*$/i;
const UNIT_DAYS = /(?:^|[\s([,/])(?:days?|tage?|jours?|d[ií]as?|dias?|giorni|dagen|dager|dagar|dni)\.?[\s)\]]*$/i;

/** A heading that names hours as well, or hours for something: `Hours (h:min)`, `Hours per day`, `Hours/day`. */
const HOURS_TOO = /\/|(?:^|[^\p{L}])(?:h|hrs?|hours?|std|stunden|uren|heures|horas|timer|per|pro|par|por)(?![\p{L}])/iu;

function unitIn(heading: string): Unit {
  if (HOURS_TOO.test(heading)) return null;
  return UNIT_MINUTES.test(heading) ? "minutes" : UNIT_DAYS.test(heading) ? "days" : null;
}

/** Whether the hours of a file seem to be fractions of a day, as a spreadsheet stores 7:30: 0.3125. */
function areFractions(cells: readonly string[]): boolean {
  const numbers = cells.filter((cell) => cell.trim() !== "");
  return numbers.every((cell) => /^0?[.,]\d+$/.test(cell.trim())) && numbers.some((cell) => /[.,]\d{3}/.test(cell));
}

interface HoursColumn {
  mark: DecimalMark;
  /** A cell of the file that may have thousands or decimals; the same message for all such cells is said once. */
  unclear: string | undefined;
  isFraction: boolean;
  unit: Unit;
}

function readHoursCell(cell: string, { mark, unclear = cell, isFraction, unit }: HoursColumn): Cell {
  if (cell.trim() === "") return { value: "" };
  const shown = `“${shorten(cell)}”`;
  if (unit === "days") return { message: "The heading says days. Write the hours in this column, and name it Hours." };
  if (isFraction) {
    const hours = formatHours(toHundredths(Number(cell.trim().replace(",", ".")) * 24));
    return {
      message: `${shown} may be hours, or a part of a day (${hours} h). Write the hours with two decimals at most, or as 7:30.`,
    };
  }
  const plain = plainNumber(cell);
  const inWords = plain === null ? undefined : hoursInWords(plain);
  const hours = readHours(cell, mark);
  if (hours === null) {
    if (unclearNumber(cell)) return { message: unclearMessage(unclear) };
    return { message: `${shown} cannot be read as hours. Write it as 7.5 or 7:30.` };
  }
  if (unit === "minutes" && inWords === undefined)
    return {
      value: hours / 60,
      said: `read as minutes, as the heading says: ${formatHours(toHundredths(hours / 60))} h`,
    };
  const isMinutes = inWords !== undefined && MINUTES_ALONE.test(plain ?? "");
  return { value: hours, said: isMinutes ? `read as ${formatHours(toHundredths(hours))} h` : null };
}

/** `20 min`, `18:25 min`. */
const MINUTES_ALONE = /^\d+(?::\d\d)? ?m/;

/** What people write for a certificate without an end. */
const NO_END =
  /^(?:n ?a|none|never|no expiry|does not expire|not applicable|unlimited|indefinite|kein[e]?|unbegrenzt|nie|aucune?|geen|ingen|brak)$/;

function read(
  { type, choices = [] }: Pick<Field, "type" | "choices">,
  cell: string,
  order: DateOrder,
  { fields }: Kind,
): Cell {
  if (cell.trim() === "") return { value: type === "flag" ? undefined : "" };
  const shown = `“${shorten(cell)}”`;
  if (type === "date" || type === "expiry") {
    if (type === "expiry" && (NO_END.test(plainHeading(cell)) || /^[\s./\p{Pd}]+$/u.test(cell)))
      return { value: "", said: "read as no end" };
    const days = readDays(cell, order);
    if ("problem" in days) return { message: `${shown} ${days.problem}` };
    if (days.from === days.to)
      return { value: days.from, said: days.said && `read as ${formatDate(days.from)}, ${days.said}` };
    const hasPeriod = fields.filter((field) => field.type === "date").length > 1;
    return {
      message: hasPeriod
        ? `${shown} is a period: write its first and its last day in two columns.`
        : `${shown} is a period: write a row for each day.`,
    };
  }
  if (type === "method") {
    const method = methodNamed(cell);
    return method ? { value: method } : { message: `${shown} ${NOT_A_METHOD}` };
  }
  if (type === "choice") {
    const choice = choiceNamed(choices, cell);
    return choice ? { value: choice } : { message: `${shown} is none of ${choices.map(choiceLabel).join(", ")}.` };
  }
  if (type === "score") {
    // At most 100, so its point or comma is the decimal mark. `\s*` before the unit would take minutes for a MiB of spaces.
    const number = cell.trimEnd().replace(/(?:%|\/\s*100|of 100)$/i, "");
    const score = readHours(number, cell.includes(",") ? "," : ".");
    return score === null ? { message: `${shown} cannot be read as a mark from 0 to 100.` } : { value: score };
  }
  if (type === "flag") {
    const text = cell.trim().toLowerCase();
    if (["yes", "y", "true", "1", "x"].includes(text)) return { value: true };
    return ["no", "n", "false", "0", "-"].includes(text)
      ? { value: undefined }
      : { message: `${shown} is not yes or no.` };
  }
  return { value: cell };
}

/** A number that may have thousands or three decimals, in its two parts: `7.500`. */
function unclearNumber(cell: string): [start: string, end: string] | null {
  const [, start, end] = /^(?!0+[.,])(\d{1,3})[.,](\d{3})$/.exec(numberIn(cell)) ?? [];
  return start && end ? [start, end] : null;
}

function unclearMessage(cell: string): string {
  const [start, end] = unclearNumber(cell) ?? [];
  const decimal = Number(`${start}.${end}`).toFixed(2);
  return `“${shorten(cell)}” may be ${decimal} or ${start}${end} hours. Write the hours of this column with two decimals (${decimal}), or with none.`;
}

/** A level as people write it, as `plainHeading` leaves it: `II`, `2`, `L2`, `Level 2`, `Niveau II`, `Stufe 2`. */
const LEVEL = /^(?:level|lvl|l|niveau|nivel|stufe|stopien|poziom|niva)? ?(i{1,3}|[123])$/;
const NUMERALS: Record<string, string> = { "1": "i", "2": "ii", "3": "iii" };

/** The choice that a cell means, as it is stored or as people read it. */
function choiceNamed(choices: readonly string[], cell: string): string | undefined {
  const plain = (text: string) =>
    plainHeading(text).replace(LEVEL, (_, number: string) => `level ${NUMERALS[number] ?? number}`);
  return choices.find((choice) => plain(choiceLabel(choice)) === plain(cell.replaceAll("_", " ")));
}

/** How a detail's cell is read: one of its choices, or any text. */
function choiceDetail({ details }: Kind, target: ColumnMeaning): Pick<Field, "type" | "choices"> {
  const choices = details.find(({ name }) => name === target)?.choices;
  return choices ? { type: "choice", choices } : { type: "text" };
}

interface Reader {
  kind: Kind;
  columns: string[];
  at: ColumnsAt;
  methods: ColumnMeaning[];
  chosenMethods: MethodValues;
  read: (target: ColumnMeaning, index: number, cell: string) => Cell;
}

function readRow(reader: Reader, row: TableRow): { records: ImportRecord[]; problems: Problem[] } {
  const { kind, columns, at, methods } = reader;
  const { number, cells } = row;
  const more = cells.slice(columns.length).find((cell) => cell.trim() !== "");
  if (more !== undefined) {
    const message = `This row has more cells than the header: “${shorten(more)}” belongs to no column.`;
    return { records: [], problems: [{ row: number, column: "", message }] };
  }
  // In a wide log an empty cell, or 0, is no entry.
  const wide = methods.filter((method) => cellsAt(at, row, method).some((cell) => !/^[\s0.,:-]*$/.test(cell)));
  if (methods.length > 0 && wide.length === 0) {
    return { records: [], problems: [{ row: number, column: "", message: "This row has no hours." }] };
  }
  const isWide = methods.length > 0;
  const shared = new Map(
    [...at]
      .filter(([field]) => field !== PERSON && !isMethod(field) && !(isWide && isOfMethod(kind, field)))
      .map(([field, [index = -1]]): [ColumnMeaning, Cell] => [field, reader.read(field, index, cells[index] ?? "")]),
  );
  const one = isWide
    ? wide.map((method) => readRecord(reader, row, shared, method))
    : partsOf(reader, row, shared).map((part) => readRecord(reader, row, part, null));
  const problems = one.flatMap((result) => ("problems" in result ? result.problems : []));
  // Several methods report the same problem of their date.
  const unique = [...new Map(problems.map((problem) => [`${problem.column}\n${problem.message}`, problem])).values()];
  if (unique.length > 0) return { records: [], problems: unique };
  return {
    records: one.flatMap((result) => ("values" in result ? [{ row: number, values: result.values }] : [])),
    problems: [],
  };
}

/** The cells of a row; of two records that share its hours, if its word for a method was chosen to mean two. */
function partsOf(
  { kind, at, chosenMethods }: Reader,
  row: TableRow,
  cells: ReadonlyMap<ColumnMeaning, Cell>,
): ReadonlyMap<ColumnMeaning, Cell>[] {
  const field = kind.fields.find(({ type }) => type === "method")?.name ?? "";
  const meaning = meaningOf(chosenMethods, cellsAt(at, row, field)[0] ?? "");
  if (!meaning) return [cells];
  if (!Array.isArray(meaning)) return [new Map([...cells, [field, { value: meaning }]])];
  const hours = cells.get("hours");
  const isNumber = hours && "value" in hours && typeof hours.value === "number";
  const all = isNumber ? toHundredths(Number(hours.value)) : 0;
  const halves = [Math.ceil(all / 2), Math.floor(all / 2)];
  return meaning.map((method, index) => {
    const half: [ColumnMeaning, Cell][] = isNumber ? [["hours", { value: (halves[index] ?? 0) / 100 }]] : [];
    return new Map([...cells, [field, { value: method }], ...half]);
  });
}

/** The record of a row, or of one method's hours in a row of a wide log; `shared` are the cells of all its methods. */
function readRecord(
  { kind, columns, at, read }: Reader,
  row: TableRow,
  shared: ReadonlyMap<ColumnMeaning, Cell>,
  method: ColumnMeaning | null,
): { values: object } | { problems: Problem[] } {
  const meaningOfField = (target: ColumnMeaning) => (method && target === "hours" ? method : target);
  const sent: Record<string, unknown> = method ? { method } : {};
  const details: Record<string, unknown> = {};
  const wrong = new Map<ColumnMeaning, string>();
  const hours: [ColumnMeaning, Cell][] = method
    ? [["hours", addedUp((at.get(method) ?? []).map((index) => read(method, index, row.cells[index] ?? "")))]]
    : [];
  for (const [field, cell] of [...shared, ...hours]) {
    if ("message" in cell) wrong.set(field, cell.message);
    else if (cell.value === undefined) continue;
    else if (fieldOf(kind, field)) sent[field] = cell.value;
    else details[field] = cell.value;
  }
  const result = kind.schema.safeParse({ ...sent, details });
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path.at(-1)); // a field or a detail
    const cell = shorten(cellsAt(at, row, meaningOfField(field))[0] ?? "");
    if (!wrong.has(field)) wrong.set(field, cell ? `“${cell}”: ${message}` : message);
  }
  if (result.success && wrong.size === 0) return { values: result.data };
  const nameOf = (field: ColumnMeaning) => columnOf(columns, at, meaningOfField(field)) || meaningLabel(field);
  return { problems: [...wrong].map(([field, message]) => ({ row: row.number, column: nameOf(field), message })) };
}

/** The hours of several columns, or what is wrong with one of them. */
function addedUp(cells: readonly Cell[]): Cell {
  const wrong = cells.find((cell) => "message" in cell);
  if (wrong) return wrong;
  const numbers = cells.flatMap((cell) => ("value" in cell && typeof cell.value === "number" ? [cell.value] : []));
  return { value: numbers.length > 0 ? numbers.reduce((sum, number) => sum + number, 0) : "" };
}

function shorten(cell: string): string {
  const text = cell.replace(/\s+/g, " ").trim();
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
