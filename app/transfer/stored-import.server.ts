import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { requireUser } from "#app/accounts/access.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import { type Db, inChunks, type Owner } from "#app/db/client.server.ts";
import { createdAt, id, userId } from "#app/db/schema.ts";
import { rowBytes } from "#app/db/stored-bytes.server.ts";
import { AppError } from "#app/errors.ts";
import { contentRow, heldLevels } from "#app/records/content.server.ts";
import type { NewEntry } from "#app/records/entry/entry.kind.ts";
import { type Days, hoursOfDates } from "#app/records/entry/entry-rules.ts";
import { isOfOneDay, type Kind } from "#app/records/kind.ts";
import { isOwn } from "#app/records/queries.server.ts";
import { kinds, records as recordsTable } from "#app/records/records.table.ts";
import { duplicatesIn, isDuplicate } from "#app/records/save.server.ts";
import { databaseSize } from "#app/server/database-limit.server.ts";
import type { ColumnMeaning } from "./columns.ts";
import { ENCODINGS } from "./encodings.ts";
import type { MethodValues } from "./file-rows.ts";
import { doubtfulIn, type Reading, readImport } from "./preview.ts";
import { DATE_ORDERS } from "./read-date.ts";
import { HOURS_UNITS } from "./read-hours.ts";
import { readSource } from "./source.ts";

/** Files and pasted text that technicians import. */
export const imports = sqliteTable("imports", {
  id: id(),
  userId: userId(),
  kind: text()
    .notNull()
    .references(() => kinds.name),
  content: text().notNull(),
  encoding: text({ enum: ENCODINGS }).default("utf-8"),
  sheet: text(),
  mapping: text({ mode: "json" }).$type<(ColumnMeaning | null)[]>().notNull(),
  dateOrder: text("date_order", { enum: DATE_ORDERS }),
  hoursUnit: text("hours_unit", { enum: HOURS_UNITS }),
  hoursPerDay: real("hours_per_day"),
  timeZone: text("time_zone"),
  methods: text({ mode: "json" }).$type<MethodValues>().notNull().default(sql`'{}'`),
  person: text(),
  skip: text({ mode: "json" }).$type<number[]>(),
  duplicates: text().notNull().default(""),
  days: text({ mode: "json" }).$type<{ [date: string]: number }>().notNull().default(sql`'{}'`),
  createdAt: createdAt(),
  appliedAt: integer("applied_at", { mode: "timestamp_ms" }),
  created: integer(),
  skipped: integer(),
});

export type ImportRow = typeof imports.$inferSelect;

/** How long an upload is kept that was not imported, and how long an import can be undone. */
export const UNUSED_IMPORT_MS = 7 * DAY_MS;
export const UNDO_IMPORT_MS = 90 * DAY_MS;

export const NO_IMPORT =
  "There is no such import. An upload that is not imported is kept for 7 days, the five newest at most.";

/** How many uploads that are not imported a technician has: the next one replaces the oldest. */
export const OPEN_MAX = 5;

export function findImport(db: Db, owner: Owner, id: number) {
  return db
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.userId, owner)));
}

/**
 * Finds one of the signed-in user's imports, with the certificates from which its records get the level worked as.
 * @throws {AppError} 404 for an unknown one or another user's
 */
export async function requireImport(context: AppLoadContext, id: number) {
  const { user, account, found, size, held } = await requireUser(context, (owner, db) => ({
    found: findImport(db, owner, id),
    size: databaseSize(db),
    held: heldLevels(db, owner),
  }));
  const [row] = found;
  if (!row) throw new AppError("not_found", NO_IMPORT);
  return { user, account, row, size, held };
}

/**
 * The reading of an import that was not applied.
 * @throws {AppError} 409 for one that was
 */
export async function readStored(row: ImportRow): Promise<Reading> {
  const { kind, mapping, dateOrder, hoursUnit, hoursPerDay, timeZone, methods, person, appliedAt } = row;
  if (appliedAt !== null) throw new AppError("already_imported", "These records are imported already.");
  const choice = { mapping, dateOrder, hoursUnit, hoursPerDay, timeZone, methods, person };
  return readImport(kind, await readSource(row), choice);
}

/** The positions of records that are in the log already, or repeat an earlier one of the file. */
export function duplicatesOf({ duplicates }: Pick<ImportRow, "duplicates">, reading: Reading): Set<number> {
  const stored = duplicates.split(",").filter(Boolean).map(Number);
  return new Set([...stored, ...duplicatesIn(reading.kind, reading.records)].sort((one, other) => one - other));
}

/** The positions of the records that are left out unless the technician keeps them. */
export function doubtfulOf(row: Pick<ImportRow, "duplicates">, reading: Reading): Set<number> {
  return doubtfulIn(reading, duplicatesOf(row, reading));
}

/**
 * The statements that note which records of a reading the owner has already, and the hours of its days in the log, for the
 * import that `which` selects. Their number depends on the length of the records, and is mostly 2.
 */
export function noteDuplicates(db: Db, owner: Owner, { kind, records }: Reading, which: SQL) {
  const list = records.map(({ values }, position) => ({ ...contentRow(kind, values), position }));
  const dates = JSON.stringify(Object.keys(hoursByDay(kind, records)));
  const days = sql`(SELECT json_group_object(date, hundredths) FROM (SELECT date, sum(hours) AS hundredths
    FROM ${recordsTable} WHERE ${isOwn(owner, kind)} AND brought_forward = 0
      AND date IN (SELECT value FROM json_each(${dates})) GROUP BY date))`;
  return Object.fromEntries([
    ["days", db.update(imports).set({ days }).where(which)] as const,
    ...inChunks(list).map(
      (chunk, index) =>
        [
          `part${index}`,
          db
            .update(imports)
            .set({
              duplicates: sql`duplicates || coalesce((SELECT group_concat(value ->> 'position', ',') || ','
            FROM json_each(${JSON.stringify(chunk)}) WHERE ${isDuplicate(kind, owner, chunk)}), '')`,
            })
            .where(which),
        ] as const,
    ),
  ]);
}

/** The bytes that a stored import takes of its account. */
export function importBytes(row: ImportRow): number {
  const { content, encoding, sheet, mapping, timeZone, methods, person, skip, duplicates, days } = row;
  return rowBytes(content, encoding, sheet, mapping, timeZone, methods, person, skip, duplicates, days);
}

/** The most bytes that `noteDuplicates` stores of a reading: the position of each record, and the hours of each day. */
export function noteBytes({ kind, records }: Reading): number {
  const hours = Object.keys(hoursByDay(kind, records)).length;
  return records.length * String(records.length).length + records.length + hours * '"2026-11-28":1234567,'.length;
}

/** The hours of each day of entries in hundredths, without those brought forward. Records of other kinds are of several days. */
export function hoursByDay(kind: Kind, records: readonly { values: object }[]): Days {
  return isOfOneDay(kind) ? hoursOfDates(records.map(({ values }) => values as NewEntry)) : {}; // entries alone
}

/** A user's last imports, newest first. */
export function listImports(db: Db, owner: Owner) {
  const { id, kind, createdAt, created } = imports;
  return db
    .select({ id, kind, createdAt, created })
    .from(imports)
    .where(eq(imports.userId, owner))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(10);
}

export type RecentImport = Awaited<ReturnType<typeof listImports>>[number];
