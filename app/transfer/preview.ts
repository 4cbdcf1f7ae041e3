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
  const timesOf = (index: number) => timesIn(table.rows.map(({ cells }) => cells[index] ?? ""));
  const mapping = choice?.mapping ?? recognizeColumns(kind, table.columns, timesOf);
  const none = { dateOrder: null, hoursUnit: null, hoursPerDay: null, timeZone: null, methods: null, person: null };
  const used = { ...none, ...choice, mapping };
  const read = readTable(kind, table, mapping, used);
  const notes = [...source.notes, ...read.notes];
  return { kind, table, source, choice: { ...used, methods: read.methods }, ...read, notes };
}

/** The rows all of whose records are duplicates. */
export function duplicateRows(records: ImportRecord[], duplicates: ReadonlySet<number>): number[] {
  const others = new Set(records.filter((_, index) => !duplicates.has(index)).map(({ row }) => row));
  const rows = records.filter((_, index) => duplicates.has(index)).map(({ row }) => row);
  return [...new Set(rows)].filter((row) => !others.has(row));
}

/** A record to save; `again`: even if an equal one is in the log, because the technician chose so. */
export interface ChosenRecord {
  values: object;
  again: boolean;
}

/**
 * Returns the records that applying saves: not those of skipped rows, by default those of duplicates. If only some
 * records of a row of a wide log are duplicates, the others are saved.
 */
export function chosenRecords(
  records: ImportRecord[],
  duplicates: ReadonlySet<number>,
  skip: readonly number[] | null,
): ChosenRecord[] {
  const duplicated = new Set(duplicateRows(records, duplicates));
  const skipped = new Set(skip ?? duplicated);
  return records.flatMap(({ row, values }, index) => {
    if (skipped.has(row)) return [];
    const again = skip !== null && duplicated.has(row);
    return duplicates.has(index) && !again ? [] : [{ values, again }];
  });
}

export function isMeaningOf(kind: string, target: string): target is ColumnMeaning {
  return columnMeanings(kindNamed(kind)).some((one) => one === target);
}
