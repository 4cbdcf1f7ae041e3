import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, sqliteView, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { EventFacts } from "#app/audit-log/event-facts.ts";
import { FORM_NAMES, type Via } from "#app/db/enumerations.ts";
import { instant, users } from "#app/db/schema.ts";
import type { Entered, Person } from "#app/records/evidence.ts";
import type { Content } from "#app/records/kind.ts";

/** The tables of exports (migrations/0001_initial.sql, "Proof"). */

/**
 * A form of verified hours that was made here. Once it is closed, what it prints is cleared, but not which records it has; once
 * its account is deleted, a trigger clears all but the code's hash and the instants.
 */
export const exports = sqliteTable(
  "exports",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    form: text({ enum: FORM_NAMES }),
    nonce: text(),
    codeHash: text("code_hash").notNull().unique(),
    madeAt: instant("made_at").notNull(),
    madeOn: text("made_on"),
    fromDay: text("from_day"),
    toDay: text("to_day"),
    isOfOneSupervisor: integer("of_one_supervisor", { mode: "boolean" }).notNull().default(false),
    supervisor: text(),
    name: text(),
    employeeNumber: text("employee_number"),
    records: integer(),
    hundredths: integer(),
    leftOut: integer("left_out"),
    leftOutHundredths: integer("left_out_hundredths"),
    domains: text({ mode: "json" }).$type<(string | null)[]>(),
    seal: text(),
    /** Without the code (statement.server.ts). */
    statement: text(),
    submission: text(),
    checks: integer().notNull().default(0),
    checkedAt: instant("checked_at"),
    closedAt: instant("closed_at"),
    accountDeletedAt: instant("account_deleted_at"),
  },
  (table) => [
    uniqueIndex("exports_by_submission").on(table.userId, table.submission).where(sql`submission IS NOT NULL`),
  ],
);

/** The records of an export. `content` is a copy of what changed or went since (migrations/0001_initial.sql). */
export const exportRecords = sqliteTable(
  "export_records",
  {
    exportId: integer("export_id")
      .notNull()
      .references(() => exports.id, { onDelete: "cascade" }),
    recordId: integer("record_id").notNull(),
    position: integer().notNull(),
    /** Its place in `exports.domains`. */
    domain: integer(),
    verifiedFor: text("verified_for", { mode: "json" }).$type<Person>(),
    dayHundredths: integer("day_hundredths"),
    continuity: text(),
    content: text({ mode: "json" }).$type<StoredContent>(),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.recordId] })],
);

/** The records of an open export as they are printed, whatever changed since: a view. */
export const printedRecords = sqliteView("printed_records", {
  exportId: integer("export_id").notNull(),
  recordId: integer("record_id").notNull(),
  position: integer().notNull(),
  domain: integer(),
  verifiedFor: text("verified_for", { mode: "json" }).$type<Person>(),
  dayHundredths: integer("day_hundredths"),
  continuity: text(),
  /** Those of the verification by which it was verified when the export was made. */
  stated: text({ mode: "json" }).$type<StatedFacts>(),
  content: text({ mode: "json" }).$type<StoredContent>(),
}).existing();

/** The records with what a form prints of each: a view. */
export const recordContents = sqliteView("record_contents", {
  id: integer().notNull(),
  content: text({ mode: "json" }).$type<StoredContent>().notNull(),
}).existing();

/** The facts of verifications and confirmations that a form prints: a view. */
export const statedFacts = sqliteView("stated_facts", {
  id: integer().notNull(),
  recordId: integer("record_id").notNull(),
  number: integer().notNull(),
  event: text({ enum: ["verified", "confirmed"] }).notNull(),
  stated: text({ mode: "json" }).$type<StatedFacts>().notNull(),
}).existing();

/**
 * The facts of an event by the side that they are about; null for a side that is erased. `entered` is what the technician had
 * entered about the supervisor; null where it is erased, or not certain.
 */
interface StatedFacts {
  supervisor: EventFacts | null;
  technician: EventFacts | null;
  entered?: Entered | null;
}

/** A verified record by the columns of `records`: hours in hundredths, flags as 0 or 1. */
export interface StoredContent extends Omit<Content, "date" | "broughtForward"> {
  kind: string;
  date: string;
  broughtForward: 0 | 1;
  supervisor: string | null;
  via: Via | null;
  /** When it was confirmed, in milliseconds. */
  confirmedAt: number | null;
  /** When it was logged and verified, likewise. */
  createdAt: number | null;
  verifiedAt: number | null;
  /** How the link began that was answered. Copies of before do not have it. */
  link?: string | null;
}

/** The fields of a record's kind (`Kind.fields`). */
export type RecordContent = { [field: string]: string | number | boolean };

export type ExportRow = typeof exports.$inferSelect;

/** A record as `printed_records` has it, with the domain of its place. */
export type ExportedRecord = Pick<
  typeof printedRecords.$inferSelect,
  "recordId" | "verifiedFor" | "dayHundredths" | "continuity" | "stated" | "content"
> & { domain: string | null };
