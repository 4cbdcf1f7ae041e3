import type { AppLoadContext } from "@remix-run/cloudflare";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { formatHours, isLongAgo, longPeriodText, toHundredths } from "#app/records/hours.ts";
import { type ColumnMeaning, meaningLabel } from "./columns.ts";
import type { Encoding } from "./encodings.ts";
import { type CountedWord, type MethodValues, type Note, type Problem, WORDS_SHOWN } from "./file-rows.ts";
import type { PossibleTotal } from "./possible-totals.ts";
import { chosenRecords, leftOut, type Reading, rowsAt } from "./preview.ts";
import type { DateOrder } from "./read-date.ts";
import type { HoursUnit } from "./read-hours.ts";
import type { ImportRecord } from "./read-row.ts";
import { doubtfulOf, duplicatesOf, type ImportRow } from "./stored-import.server.ts";

/** How many rows a preview shows, and how much of a cell. */
const ROWS_SHOWN = 20;
const CELL_SHOWN = 200;

/** How many people it lists, those with the most rows. */
const PEOPLE_SHOWN = 500;

/** A preview of an import: what would be saved, and what is wrong. */
export interface ImportView {
  id: number;
  kind: string;
  /** Null for a workbook, whose sheets `sheets` lists. */
  encoding: Encoding | null;
  sheet: string | null;
  sheets: string[];
  columns: string[];
  mapping: (ColumnMeaning | null)[];
  /** Null if it must be chosen: `ambiguous` is a date that shows why. */
  dateOrder: DateOrder | null;
  ambiguous: string | null;
  /** The unit of the numbers of hours; null if it must be chosen. */
  hoursUnit: HoursUnit | null;
  /** The hours of a day, where hours are in days; null if it must be chosen, or without days. */
  hoursPerDay: number | null;
  /** The time zone of the days of instants, or `asWritten`; null if it must be chosen. */
  timeZone: string | null;
  /** The chosen meanings of words for methods, and the words that are not known. */
  values: { method: MethodValues };
  unknown: { method: CountedWord[] };
  /** The people of a file of several, and whose rows are imported. */
  people: string[];
  person: string | null;
  /** The hours that applying saves, by method where the kind has methods, and the total in the last row of the file. */
  sums: { total: number; method: { [method: string]: number }; stated: number | null };
  rows: { row: number; cells: string[]; records: object[] }[];
  errors: Problem[];
  /**
   * The notes about values that were read otherwise than they are written, or not at all, and about dates that may be
   * slips.
   */
  notes: Note[];
  /** The rows of which a record is in the log already, or repeats an earlier one of the file. */
  duplicates: number[];
  /** The rows that may be totals. */
  possibleTotals: PossibleTotal[];
  /** The rows that are left out, if they have no error; of one that is a duplicate in part, that part alone. */
  skip: number[];
  /** The rows of the file, and the records that applying saves. */
  count: number;
  ready: number;
}

export function viewOf({ timeZone, now }: AppLoadContext, row: ImportRow, reading: Reading): ImportView {
  const { kind, table, source, choice, dateOrder, ambiguous, read, records, problems, notes, unknownMethods, stated } =
    reading;
  const duplicates = duplicatesOf(row, reading);
  const doubtful = doubtfulOf(row, reading);
  const chosen = chosenRecords(records, doubtful, row.skip);
  const duplicated = rowsAt(records, duplicates);
  return {
    id: row.id,
    kind: kind.name,
    encoding: source.encoding,
    sheet: source.sheet,
    sheets: source.sheets,
    columns: table.columns.map(shorten),
    mapping: choice.mapping,
    dateOrder,
    ambiguous: ambiguous === null ? null : shorten(ambiguous),
    ...{ hoursUnit: reading.hoursUnit, hoursPerDay: reading.hoursPerDay, timeZone: reading.timeZone },
    values: { method: choice.methods },
    unknown: { method: unknownMethods.slice(0, WORDS_SHOWN) },
    people: reading.people.length > 1 ? reading.people.slice(0, PEOPLE_SHOWN) : [],
    person: reading.person,
    sums: { ...sumsOf(chosen.map(({ values }) => values)), stated: stated === null ? null : stated / 100 },
    rows: read.slice(0, ROWS_SHOWN).map(({ number, cells }) => ({
      row: number,
      cells: cells.slice(0, table.columns.length).map(shorten),
      records: records.filter((record) => record.row === number).map(({ values }) => values),
    })),
    errors: problems.map((problem) => ({ ...problem, column: shorten(problem.column) })),
    notes: [
      ...notes,
      ...periodNotes(records),
      ...partNotes(records, leftOut(records, doubtful, row.skip)),
      ...dateNotes(reading, toCalendarDate(timeZone, now)),
    ].map((note) => ({
      ...note,
      column: shorten(note.column),
    })),
    duplicates: duplicated,
    possibleTotals: reading.possibleTotals,
    skip: row.skip ?? rowsAt(records, doubtful),
    count: table.rows.length,
    ready: chosen.length,
  };
}

/** The note about periods with more hours than their days have, as the form warns of them too. */
export function periodNotes(records: readonly ImportRecord[]): Note[] {
  const long = records.flatMap(({ row, values }) => {
    const text = longPeriodText(values as { [field: string]: unknown });
    return text ? [`Row ${row}: ${text}`] : [];
  });
  return long[0] ? [{ column: "", message: long[0], rows: long.length }] : [];
}

/** The note about rows of which a part alone is left out. */
function partNotes(records: readonly ImportRecord[], left: ReadonlySet<number>): Note[] {
  const saved = new Set(records.filter((_, index) => !left.has(index)).map(({ row }) => row));
  const parts = records.filter(({ row }, index) => left.has(index) && saved.has(row));
  const [first] = parts;
  if (!first) return [];
  const hours = `${formatHours(toHundredths(sumsOf(parts.map(({ values }) => values)).total))} h`;
  const rows = new Set(parts.map(({ row }) => row)).size;
  const what =
    rows === 1 ? `A part of row ${first.row} equals` : `Parts of ${rows} rows, the first one row ${first.row}, equal`;
  return [{ column: "", message: `${what} another record: ${hours} left out. The rest is imported.`, rows: 0 }];
}

/** The most years that a certificate is valid. */
const YEARS_VALID = 20;

/** The dates that may be slips, as the form warns of them too. `today` is the technician's day. */
export function dateNotes({ kind, records }: Pick<Reading, "kind" | "records">, today: string): Note[] {
  const latest = `${Number(today.slice(0, 4)) + YEARS_VALID}${today.slice(4)}`;
  const notes = new Map<string, Note>();
  for (const { row, values } of records) {
    for (const { name, type } of kind.fields) {
      const date = (values as { [field: string]: unknown })[name];
      if (typeof date !== "string" || date === "") continue;
      const isFuture = type === "date" ? date > today : type === "expiry" && date > latest;
      if (!isFuture && !(type === "date" && isLongAgo(date, today))) continue;
      const why = !isFuture
        ? "is more than 10 years ago"
        : type === "date"
          ? "is in the future"
          : `is more than ${YEARS_VALID} years ahead`;
      const note = notes.get(name + why);
      if (note) note.rows += 1;
      else
        notes.set(name + why, {
          column: meaningLabel(name),
          message: `${formatDate(date)} in row ${row} ${why}. Check the year.`,
          rows: 1,
        });
    }
  }
  return [...notes.values()];
}

/** Hours in all and by method: none of what has no hours, such as certificates. */
function sumsOf(records: readonly object[]) {
  let total = 0;
  const method: { [method: string]: number } = {};
  for (const { hours = 0, method: name } of records as readonly { hours?: number; method?: string }[]) {
    total += toHundredths(hours);
    if (name && hours > 0) method[name] = (method[name] ?? 0) + toHundredths(hours);
  }
  return {
    total: total / 100,
    method: Object.fromEntries(Object.entries(method).map(([name, hundredths]) => [name, hundredths / 100])),
  };
}

function shorten(text: string): string {
  return text.length > CELL_SHOWN ? `${text.slice(0, CELL_SHOWN)}…` : text;
}
