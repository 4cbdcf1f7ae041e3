import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "#app/calendar-date.ts";
import { EVENT_TYPES } from "#app/db/enumerations.ts";
import { userId } from "#app/db/schema.ts";
import { kinds } from "#app/records/records.table.ts";

/** How long an event is kept, in milliseconds: a program may stop for as long and miss nothing. */
export const EVENTS_KEPT_MS = 90 * DAY_MS;

/**
 * The events of records and requests, for programs that follow an account. Written by triggers
 * (docs/decisions/0078-events.md).
 */
export const events = sqliteTable("events", {
  /** The time in microseconds since 1970, and more than every id before it. A new row says 0, for which a trigger gives it. */
  id: integer().primaryKey(),
  userId: userId(),
  type: text({ enum: EVENT_TYPES }).notNull(),
  recordKind: text("record_kind").references(() => kinds.name),
  recordId: integer("record_id"),
  requestId: integer("request_id"),
});
