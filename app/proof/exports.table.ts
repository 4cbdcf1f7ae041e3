import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { VIAS } from "#app/db/enumerations.ts";
import { users } from "#app/db/schema.ts";
import type { Person } from "#app/records/evidence.ts";

/** The tables of exports (migrations/0001_initial.sql, "Proof"). */

const instant = (name: string) => integer(name, { mode: "timestamp_ms" });

/**
 * A form of verified hours that was made here. Closed, it has only its dates and counts; once its account is deleted, a
 * trigger clears all but the code's hash and the instants.
 */
export const exports = sqliteTable(
  "exports",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    recordKind: text("record_kind"),
    nonce: text(),
    codeHash: text("code_hash").notNull().unique(),
    madeAt: instant("made_at").notNull(),
    madeOn: text("made_on"),
    name: text(),
    employeeNumber: text("employee_number"),
    records: integer(),
    hundredths: integer(),
    seal: text(),
    /** Without the code (stored-statement.ts). */
    statement: text(),
    submission: text(),
    checks: integer().notNull().default(0),
    checkedAt: instant("checked_at"),
    closedAt: instant("closed_at"),
    accountDeletedAt: instant("account_deleted_at"),
  },
  (table) => [
    index("exports_by_user").on(table.userId, table.madeAt),
    uniqueIndex("exports_by_submission").on(table.userId, table.submission).where(sql`submission IS NOT NULL`),
  ],
);

/** The records of an export as they are printed. `content` holds the fields of their kind; a closed export has only ids. */
export const exportRecords = sqliteTable(
  "export_records",
  {
    exportId: integer("export_id")
      .notNull()
      .references(() => exports.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    recordId: integer("record_id").notNull(),
    content: text({ mode: "json" }).$type<RecordContent>(),
    supervisor: text(),
    via: text({ enum: VIAS }),
    domain: text(),
    verifiedFor: text("verified_for", { mode: "json" }).$type<Person>(),
    dayHundredths: integer("day_hundredths"),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.position] })],
);

/** The fields of a record's kind (`Kind.content`). */
export type RecordContent = { [field: string]: string | number | boolean };

export type ExportRow = typeof exports.$inferSelect;
export type ExportedRecord = Omit<typeof exportRecords.$inferSelect, "exportId" | "position">;
