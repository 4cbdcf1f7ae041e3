import { sql } from "drizzle-orm";
import { index, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns, type ShownColumns } from "#app/db/schema.ts";

/** Periods of rope-access work (spec section 3). */
export const ropeHours = sqliteTable(
  "rope_hours",
  recordColumns({
    startDate: text("start_date").notNull(),
    endDate: text("end_date").notNull(),
    location: text().notNull(),
    skills: text().notNull(),
    hours: real().notNull(),
  }),
  (table) => [
    index("rope_hours_by_date").on(table.userId, table.startDate),
    index("rope_hours_totals").on(table.userId, table.verified, table.hours),
    index("rope_hours_by_submission").on(table.userId, table.submission).where(sql`submission IS NOT NULL`),
    index("rope_hours_unverified").on(table.userId, table.startDate).where(sql`verified = 0`),
    index("rope_hours_requested").on(table.userId, table.requestedAt, table.hours).where(sql`requested_at IS NOT NULL`),
    index("rope_hours_progress").on(
      ...[table.userId, table.startDate, table.verified, table.requestedAt, table.declinedAt, table.hours],
    ),
  ],
);

type RopeHoursRow = typeof ropeHours.$inferSelect;

/** Rope hours as their owner sees them: without the token of their link. */
export type RopeHours = ShownColumns<RopeHoursRow>;
