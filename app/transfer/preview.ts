import { kindNamed } from "#app/records/all-kinds.ts";
import type { Kind } from "#app/records/kind.ts";
import { type ColumnMeaning, columnMeanings, recognizeColumns } from "./columns.ts";
import { parseTable, type Table } from "./parse-table.ts";
import { readDate } from "./read-date.ts";
import { type ReadChoices, type ReadTable, readTable } from "./read-records.ts";
import type { ImportRecord } from "./read-row.ts";
import { timesIn } from "./read-times.ts";
import { type Source, sourceOfText } from "./source.ts";

/** The technician's choices about an import. */
export interface ImportChoices extends ReadChoices {
  /** The meaning of each column; null: it is ignored. */
  mapping: (ColumnMeaning | null)[];
}

/** An upload as it is read with a choice. */
export interface Reading extends ReadTable {
  source: Source;
  kind: Kind;
  table: Table;
  choice: ImportChoices;
}

/**
 * Reads an upload, or a text, with a choice, or, without one, by the names of its columns.
 * @throws {AppError} 400 for an upload that cannot be imported
 */
export function readImport(kindName: string, upload: Source | string, choice?: ImportChoices): Reading {
  const source = typeof upload === "string" ? sourceOfText(upload) : upload;
  const kind = kindNamed(kindName);
  const countNames = (cells: string[]) => recognizeColumns(kind, cells).filter(Boolean).length;
  const table = parseTable(source.table, countNames, (cells) =>
    cells.some((cell) => readDate(cell, "dmy") ?? readDate(cell, "mdy")),
  );
  const cellsIn = (index: number) => table.rows.map(({ cells }) => cells[index]?.trim() ?? "");
  const timesOf = (index: number) => timesIn(cellsIn(index));
  const areMinutes = (hours: number, minutes: number) =>
    cellsIn(hours).every((cell) => /^\d*$/.test(cell)) && cellsIn(minutes).every((cell) => /^[0-5]?\d?$/.test(cell));
  const mapping = choice?.mapping ?? recognizeColumns(kind, table.columns, timesOf, areMinutes);
  const none = { dateOrder: null, hoursUnit: null, hoursPerDay: null, timeZone: null, methods: null, person: null };
  const used = { ...none, ...choice, mapping };
  const read = readTable(kind, table, mapping, used);
  const notes = [...source.notes, ...read.notes];
  return { kind, table, source, choice: { ...used, methods: read.methods }, ...read, notes };
}

/** The rows of the records at these positions. */
export function rowsAt(records: readonly ImportRecord[], positions: ReadonlySet<number>): number[] {
  return [...new Set(records.filter((_, index) => positions.has(index)).map(({ row }) => row))];
}

/** The positions of the records that are left out unless the technician keeps them: duplicates, and rows that may be totals. */
export function doubtfulIn(
  { records, possibleTotals }: Pick<ReadTable, "records" | "possibleTotals">,
  duplicates: ReadonlySet<number>,
): Set<number> {
  const totals = new Set(possibleTotals.map(({ row }) => row));
  return new Set(records.flatMap(({ row }, index) => (duplicates.has(index) || totals.has(row) ? [index] : [])));
}

/** A record to save; `again`: even if an equal one is in the log, because the technician chose so. */
export interface ChosenRecord {
  values: object;
  again: boolean;
}

/**
 * The positions of the records that applying leaves out: by default all that are in `doubtful`. Of a skipped row, those of
 * its records that are, or else all of them.
 */
export function leftOut(
  records: readonly ImportRecord[],
  doubtful: ReadonlySet<number>,
  skip: readonly number[] | null,
): Set<number> {
  if (skip === null) return new Set(doubtful);
  const inPart = new Set(rowsAt(records, doubtful));
  const skipped = new Set(skip);
  const isLeftOut = (row: number, index: number) => skipped.has(row) && (doubtful.has(index) || !inPart.has(row));
  return new Set(records.flatMap(({ row }, index) => (isLeftOut(row, index) ? [index] : [])));
}

/** Returns the records that applying saves (`leftOut`). */
export function chosenRecords(
  records: readonly ImportRecord[],
  doubtful: ReadonlySet<number>,
  skip: readonly number[] | null,
): ChosenRecord[] {
  const left = leftOut(records, doubtful, skip);
  return records.flatMap(({ values }, index) => (left.has(index) ? [] : [{ values, again: doubtful.has(index) }]));
}

export function isMeaningOf(kind: string, target: string): target is ColumnMeaning {
  return columnMeanings(kindNamed(kind)).some((one) => one === target);
}
