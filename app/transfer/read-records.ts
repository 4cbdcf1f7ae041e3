import { AppError } from "#app/errors.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Field, Kind } from "#app/records/kind.ts";
import {
  type ColumnMeaning,
  fieldOf,
  firstDayField,
  isMethod,
  lastDayField,
  meaningLabel,
  methodNamed,
  missingMeanings,
  PERSON,
  recognizeColumns,
} from "./columns.ts";
import {
  type CountedWord,
  cellsAt,
  columnOf,
  countedWords,
  guessed,
  isTotal,
  isTotalOfTime,
  keyOf,
  type MethodValues,
  type Note,
  Notes,
  notTheSum,
  type Problem,
  statingRow,
  totalsBetween,
  totalsIn,
  unreadColumns,
  withValuesAbove,
} from "./file-rows.ts";
import { ROWS_MAX, type Table, type TableRow } from "./parse-table.ts";
import { type PossibleTotal, possibleTotals } from "./possible-totals.ts";
import { type DateReading, NOT_A_METHOD, readCell } from "./read-cells.ts";
import { type DateOrder, isInUtc, orderOf, readDate } from "./read-date.ts";
import {
  decimalMarkOf,
  type FoundUnits,
  readHoursCell,
  shorten,
  type UnitChoices,
  unclearNumber,
  unitIn,
  unitsOf,
} from "./read-hours.ts";
import { type ImportRecord, type Reader, readRow, statedTotal } from "./read-row.ts";

/** The technician's choices about a file besides the meanings of its columns. */
export interface ReadChoices extends UnitChoices {
  /** Null as long as it was not chosen. */
  dateOrder: DateOrder | null;
  /** The time zone of the days of instants, an IANA name, or `AS_WRITTEN`. Null as long as it was not chosen. */
  timeZone: string | null;
  methods: MethodValues;
  /** Whose rows they are, if the file has those of several people. */
  person: string | null;
}

/** The time zone that takes the day of an instant as it is written. */
export const AS_WRITTEN = "asWritten";

/**
 * A table as it was read; `hoursUnit` is null if the technician must choose it first, `hoursPerDay` without days too.
 */
export interface ReadTable extends UnitChoices {
  /** The rows that are read: neither totals nor, in a file of several people, the rows of the others. */
  read: TableRow[];
  /** The rows that add up others. */
  totals: TableRow[];
  /** The names in the column of the people, those with the most rows first. */
  people: string[];
  /** The person whose rows are read; null if none was chosen, or a name that is not in the file. */
  person: string | null;
  /** The words for methods that are not known, the most frequent first, also those that were chosen. */
  unknownMethods: CountedWord[];
  /**
   * The chosen meanings of these words; if nothing was chosen yet, words that name one method besides other words mean
   * that method.
   */
  methods: MethodValues;
  /** The rows of `records` that may be totals. */
  possibleTotals: PossibleTotal[];
  /** The total that the file itself states, in hundredths; null without one, and for a file of several people. */
  stated: number | null;
  /** The order of the dates; null if the technician must choose it first. Then there are no records. */
  dateOrder: DateOrder | null;
  /** A date that can be read in two ways, if the order is not chosen yet. */
  ambiguous: string | null;
  /** The time zone of instants; null if the technician must choose it first. */
  timeZone: string | null;
  /** The choices that a file needs besides, made or not. */
  asks: { hoursUnit: boolean; hoursPerDay: boolean; timeZone: boolean };
  /** Whether rows could be read: every field has its column, and what is not certain was chosen. */
  isReadable: boolean;
  records: ImportRecord[];
  /** The first problems, as many as a file has rows at most: a wide row alone can have eleven. */
  problems: Problem[];
  notes: Note[];
  /** How many rows have a problem, and how many of them no other one than a word for a method that means nothing yet. */
  wrong: number;
  unnamed: number;
}

/** The text that a spreadsheet shows instead of the result of a formula. */
const SHEET_ERROR = /^\s*#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|BLOCKED!|FIELD!)\s*$/;

/** The most records that an import creates. A row of a wide log has one for each method. */
const IMPORT_RECORDS_MAX = 10_000;

/**
 * The records in the rows of a file, checked by the schema that new records have, and the problems.
 * @throws {AppError} 400 for more records than an import may create
 */
export function readTable(
  kind: Kind,
  { columns, header, above, rows: all }: Table,
  mapping: readonly (ColumnMeaning | null)[],
  choice: Omit<ReadChoices, "methods"> & {
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
  const ofHours = [...at].filter(([target]) => isMethod(target) || target === "hours").flatMap(([, own]) => own);
  const dated = totalsIn(all, ofHours, namesTotal);
  const firsts = [...dateTargets, "location"].flatMap((target) => at.get(target) ?? []);
  const totals = all.filter((row) => dated.get(row.number)?.isSum ?? (!hasDate(row) && isTotal(row, firsts)));
  const isOfTotals = new Set(totals);
  const notes = new Notes();
  const work = withValuesAbove(
    kind,
    all.filter((row) => !isOfTotals.has(row)),
    at,
    (index, message, reason) => notes.add(columns[index] ?? "", message, 1, reason),
  );
  const people = at.has(PERSON) ? countedWords(work.map((row) => cellOf(row, PERSON))).map(({ word }) => word) : [];
  const person = people.find((name) => keyOf(name) === keyOf(choice.person ?? "")) ?? null;
  const rows = people.length > 1 && person ? work.filter((row) => keyOf(cellOf(row, PERSON)) === keyOf(person)) : work;
  const cellsOf = (target: ColumnMeaning) => rows.map((row) => cellOf(row, target));
  const unknownMethods = countedWords(
    targetsLike("method")
      .flatMap(cellsOf)
      .filter((cell) => !methodNamed(cell)),
  );
  const chosenMethods = choice.methods ?? guessed(unknownMethods);
  const order = orderOf(dateTargets.flatMap(cellsOf));
  const dateOrder = choice.dateOrder ?? order.order;
  const ambiguous = choice.dateOrder ? null : order.ambiguous;
  const instant = dateTargets.flatMap(cellsOf).find(isInUtc);
  const timeZone = choice.timeZone ?? (instant === undefined ? AS_WRITTEN : null);
  const methods = [...at.keys()].filter(isMethod);
  const hourColumns = (methods.length > 0 ? methods : targetsLike("hours")).flatMap((target) => at.get(target) ?? []);
  const cellsIn = (index: number) => rows.map(({ cells }) => cells[index] ?? "");
  const hourUnits = unitsOf(
    hourColumns.map((index) => ({ heading: columns[index] ?? "", cells: cellsIn(index) })),
    choice,
  );
  const found = {
    ...{ read: rows, totals, people, person, unknownMethods, methods: chosenMethods },
    ...{ possibleTotals: [], stated: null, dateOrder, ambiguous, timeZone, unnamed: 0, notes: [] },
    ...{ hoursUnit: hourUnits.hoursUnit, hoursPerDay: hourUnits.hoursPerDay },
    asks: { ...hourUnits.asks, timeZone: instant !== undefined },
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
  /** Asks about a cell with a date. */
  const askedOfDate = (cell: string | undefined | null, message: string) => {
    const row = rows.find((row) => dateTargets.some((target) => cellOf(row, target) === cell));
    const target = dateTargets.find((target) => rows.some((one) => cellOf(one, target) === cell));
    return unread([{ row: row?.number ?? header, column: columnOf(columns, at, target ?? ""), message }], 0);
  };
  if (!dateOrder) {
    const shown = shorten(ambiguous ?? "");
    return askedOfDate(ambiguous, `Choose the order of day, month and year: “${shown}” can be read in several ways.`);
  }
  if (!timeZone) {
    const shown = shorten(instant ?? "");
    return askedOfDate(instant, `Choose the time zone of the days: “${shown}” is a moment in UTC, not a day.`);
  }
  if (hourUnits.question) {
    const { heading, message } = hourUnits.question;
    return unread([{ row: header, column: heading, message }], 0);
  }
  const hours = hourColumns.flatMap(cellsIn);
  const mark = decimalMarkOf(hours);
  const unclear = mark === null ? hours.find((cell) => /[.,]\d{3}/.test(cell) && unclearNumber(cell)) : undefined;
  const lastDay = lastDayField(kind);
  const isOfOneDate = lastDay !== undefined && !at.has(lastDay);
  const dates: DateReading = {
    order: dateOrder,
    timeZone: timeZone === AS_WRITTEN ? null : timeZone,
    period: isOfOneDate ? "read" : lastDay === undefined ? "several rows" : "two columns",
  };
  if (isOfOneDate) {
    const column = columnOf(columns, at, firstDayField(kind));
    notes.add(column, "No column has the last day: a row with one date is one day.", rows.length);
  }
  for (const target of methods) {
    const own = (at.get(target) ?? []).map((index) => `“${shorten(columns[index] ?? "")}”`);
    if (own.length > 1) notes.add("", `${own.join(" and ")} mean ${meaningLabel(target)}, and are added up.`, 0);
  }
  const titles = above
    .flatMap(({ cells }) => cells)
    .filter((cell) => !isDate(cell) && NUMBER.test(cell.replace(YEARS, "")));
  if (titles.length > 0) {
    const more = titles.length > TITLES_MAX ? ` and ${titles.length - TITLES_MAX} more` : "";
    const named = titles
      .slice(0, TITLES_MAX)
      .map((cell) => `“${shorten(cell)}”`)
      .join(", ");
    notes.add("", `Numbers above the header are not read: ${named}${more}.`, 0);
  }
  for (const target of dateTargets) {
    const cells = cellsOf(target);
    const typed = cells.find((cell) => dateOrder === "dmy" && DAY_FIRST.test(cell));
    const real = cells.filter((cell) => ISO_DAY.test(cell));
    const isOpen = real.every((cell) => Number(cell.slice(8, 10)) <= 12);
    const swapped = real.find((cell) => cell.slice(5, 7) !== cell.slice(8, 10));
    if (typed && swapped && isOpen) {
      const message = `“${swapped}” is a date and “${shorten(typed)}” a text: a spreadsheet may have swapped day and month where the day is 12 or less. Check these dates.`;
      notes.add(columnOf(columns, at, target), message, real.length);
    }
  }
  let [rounded, roundedOfRow] = [0, 0];
  const reader: Reader = {
    ...{ kind, columns, at, methods, chosenMethods, notes },
    read: (target: ColumnMeaning, index: number, cell: string) => {
      if (SHEET_ERROR.test(cell))
        return { message: `“${cell.trim()}” is an error of the spreadsheet. Correct its formula, or write the value.` };
      const { type, choices } = isMethod(target)
        ? { type: "hours" as const }
        : (fieldOf(kind, target) ?? choiceDetail(kind, target));
      const column = columns[index] ?? "";
      const one =
        type === "hours"
          ? readHoursCell(cell, { mark, unclear, ...unitOf(hourUnits, hourColumns.indexOf(index)) })
          : readCell({ type, ...(choices && { choices }) }, cell, dates);
      if (type === "hours" && "value" in one && typeof one.value === "number")
        roundedOfRow += toHundredths(one.value) - one.value * 100;
      if ("said" in one && one.said)
        notes.add(column, `“${shorten(cell)}” is ${one.said}.`, 1, one.said.replace(/^read as \d[^,]*|\d/g, ""));
      return one;
    },
  };
  const records: ImportRecord[] = [];
  const problems: Problem[] = [];
  const isOtherHeader = otherHeaderThan(kind, columns);
  let otherHeader = 0; // the row of the header of another table
  let wrong = 0;
  let unnamed = 0;
  for (const row of rows) {
    roundedOfRow = 0;
    const total = dated.get(row.number);
    if (isOtherHeader(row)) otherHeader = row.number;
    const read = otherHeader
      ? { records: [], problems: [belowHeader(row, otherHeader)] }
      : total
        ? { records: [], problems: [notTheSum(row, total.sum)] }
        : readRow(reader, row);
    records.push(...read.records);
    if (read.records.length > 0) rounded += roundedOfRow;
    if (records.length > IMPORT_RECORDS_MAX) throw tooManyRecords();
    problems.push(...read.problems.slice(0, ROWS_MAX - problems.length));
    if (read.problems.length === 0) continue;
    wrong += 1;
    if (read.problems.every(({ message }) => message.endsWith(NOT_A_METHOD))) unnamed += 1;
  }
  const certain = new Set([...totals.map(({ number }) => number), ...dated.keys()]);
  const own = new Set(rows.map(({ number }) => number));
  const possible = possibleTotals({
    ...{ kind, at, records, totals: certain },
    rows: all.filter(({ number }) => certain.has(number) || own.has(number)),
  });
  const doubtful = new Set(possible.map(({ row }) => row));
  const counted = rows.filter(({ number }) => !doubtful.has(number) && !dated.has(number));
  // A total with a date is that of a month.
  const undated = totals.filter((row) => !hasDate(row));
  if (Math.abs(rounded) >= 0.5) {
    const change = `${formatHours(Math.abs(Math.round(rounded)))} h ${rounded < 0 ? "less" : "more"}`;
    notes.add("", `Hours are rounded to hundredths, which makes their sum ${change}.`, 0);
  }
  const isOfAll = people.length <= 1;
  if (isOfAll) notes.addAll(totalsBetween(undated, counted, ofHours));
  notes.addAll(unreadColumns(columns, mapping, rows));
  const listed = notes.list();
  const stated = isOfAll ? statedTotal(reader, statingRow(undated, rows)) : null;
  return {
    ...found,
    possibleTotals: possible,
    stated,
    isReadable: true,
    records,
    problems,
    notes: listed,
    wrong,
    unnamed,
  };
}

/** How many cells above the header are named, and what is a number there besides dates and years. */
const TITLES_MAX = 3;
const NUMBER = /\d/;
const YEARS = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\b(?:19|20)\d{2}\b/g;

/** A date as text whose first number is no month. */
const DAY_FIRST = /^\s*(?:1[3-9]|2\d|3[01])[/.-]\d{1,2}[/.-]\d{2,4}\s*$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d(?: |$)/;

/** How many cells of a row are searched for the names of the header. */
const NAMES_MAX = 10;

/** Returns whether a row is the header of another table: its columns or their units are other ones. */
function otherHeaderThan(kind: Kind, columns: readonly string[]): (row: TableRow) => boolean {
  const plain = (cell: string) => cell.trim().toLowerCase();
  const names = new Set(columns.map(plain).filter(Boolean));
  const unitsIn = (cells: readonly string[]) =>
    cells
      .map((cell) => unitIn(cell) ?? "")
      .join()
      .replace(/,+$/, "");
  const meaningsIn = (cells: readonly string[]) => recognizeColumns(kind, cells).join().replace(/,+$/, "");
  return ({ cells }) => {
    // Most rows have a number or none of the names: recognizing all of them would take too long.
    if (!cells.slice(0, NAMES_MAX).some((cell) => names.has(plain(cell)))) return false;
    if (cells.some((cell) => NUMBER.test(cell)) || recognizeColumns(kind, cells).filter(Boolean).length < 3)
      return false;
    return meaningsIn(cells) !== meaningsIn(columns) || unitsIn(cells) !== unitsIn(columns);
  };
}

function belowHeader({ number }: TableRow, header: number): Problem {
  const what = number === header ? "This row is another header" : `Row ${header} is another header`;
  return { row: number, column: "", message: `${what}: import the rows below it as a file of their own.` };
}

function tooManyRecords(): AppError {
  const max = IMPORT_RECORDS_MAX.toLocaleString("en");
  return new AppError(
    "invalid",
    `These rows are more than ${max} records. Import them in parts of at most ${max} records.`,
  );
}

/** Returns how a detail's cell is read: one of its choices, or any text. */
function choiceDetail({ details }: Kind, target: ColumnMeaning): Pick<Field, "type" | "choices"> {
  const choices = details.find(({ name }) => name === target)?.choices;
  return choices ? { type: "choice", choices } : { type: "text" };
}

function unitOf({ units, isByHeading, hoursPerDay }: FoundUnits, position: number) {
  return { unit: units[position] ?? "hours", isByHeading, hoursPerDay };
}

function isDate(cell: string): boolean {
  return (readDate(cell, "dmy") ?? readDate(cell, "mdy")) !== null;
}
