import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { METHODS } from "#app/db/enumerations.ts";
import { recordColumns, type ShownColumns } from "#app/db/schema.ts";

export const entries = sqliteTable(
  "entries",
  {
    ...recordColumns({
      date: text().notNull(),
      location: text().notNull(),
      method: text({ enum: METHODS }).notNull(),
      hours: real().notNull(),
    }),
    broughtForward: integer("brought_forward", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("entries_by_date").on(table.userId, table.date),
    index("entries_totals").on(table.userId, table.method, table.verified, table.hours),
    index("entries_by_submission").on(table.userId, table.submission).where(sql`submission IS NOT NULL`),
    index("entries_unverified").on(table.userId, table.date).where(sql`verified = 0`),
    index("entries_requested").on(table.userId, table.requestedAt, table.hours).where(sql`requested_at IS NOT NULL`),
    index("entries_progress").on(
      ...[table.userId, table.date, table.method, table.verified, table.requestedAt, table.declinedAt],
      ...[table.broughtForward, table.hours],
    ),
  ],
);

type EntryRow = typeof entries.$inferSelect;

/** An OJT entry as its owner sees it: without the token of its link. */
export type Entry = ShownColumns<EntryRow>;
