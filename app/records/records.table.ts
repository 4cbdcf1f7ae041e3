import { sql } from "drizzle-orm";
import { customType, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LEVELS, METHODS, VIAS } from "#app/db/enumerations.ts";
import { createdAt, id, instant, userId } from "#app/db/schema.ts";
import type { Details } from "./details.ts";
import { toHundredths } from "./hours.ts";

/** Hours and marks: integer hundredths in the database, so that sums are exact, and a number with two decimals in code. */
const hundredths = customType<{ data: number; driverData: number }>({
  dataType: () => "integer",
  toDriver: toHundredths,
  fromDriver: (stored) => stored / 100,
});

/** The kinds of records and the NDT methods that a row may name. The app's own lists are `KINDS` and `METHODS`. */
export const kinds = sqliteTable("kinds", { name: text().primaryKey() });
export const methods = sqliteTable("methods", { name: text().primaryKey() });

/** The records of all kinds (docs/decisions/0073-one-table-of-records.md). */
export const records = sqliteTable("records", {
  id: id(),
  userId: userId(),
  kind: text()
    .notNull()
    .references(() => kinds.name),
  date: text().notNull(),
  endDate: text("end_date"),
  location: text(),
  method: text({ enum: METHODS }).references(() => methods.name),
  hours: hundredths(),
  subtype: text(),
  level: text({ enum: LEVELS }),
  part: text(),
  score: hundredths(),
  standard: text(),
  revokedOn: text("revoked_on"),
  revokedReason: text("revoked_reason"),
  broughtForward: integer("brought_forward", { mode: "boolean" }).notNull().default(false),
  verified: integer({ mode: "boolean" }).notNull().default(false),
  verifiedBy: text("verified_by"),
  verifiedAt: instant("verified_at"),
  verifiedVia: text("verified_via", { enum: VIAS }),
  confirmedAt: instant("confirmed_at"),
  requestedAt: instant("requested_at"),
  declinedAt: instant("declined_at"),
  deletedAt: instant("deleted_at"),
  deletedByAdmin: integer("deleted_by_admin", { mode: "boolean" }).notNull().default(false),
  submission: text(),
  sameKey: text("same_key"),
  createdAt: createdAt(),
  fields: text({ mode: "json" }).$type<Record<string, string | Details>>().notNull().default(sql`'{}'`),
  search: text().notNull(),
});

/**
 * The columns that hold what is verified, and what a kind has besides (`Field.isLater`). Two triggers and a view of `migrations/` name them as well (`verified_stays`,
 * `events_of_changed_records`, `record_contents`), and `contentOf` says what is in them before a kind's fields are.
 */
export const CONTENT = {
  date: records.date,
  endDate: records.endDate,
  location: records.location,
  method: records.method,
  hours: records.hours,
  subtype: records.subtype,
  level: records.level,
  part: records.part,
  score: records.score,
  standard: records.standard,
  revokedOn: records.revokedOn,
  revokedReason: records.revokedReason,
  broughtForward: records.broughtForward,
  fields: records.fields,
};

/**
 * When the owner of a certificate gets the next email that it ends (app/certification/renewal.server.tsx). Triggers add
 * the rows.
 */
export const renewals = sqliteTable("renewals", {
  recordId: integer("record_id")
    .primaryKey()
    .references(() => records.id, { onDelete: "cascade" }),
  userId: userId(),
  endsOn: text("ends_on").notNull(),
  dueOn: text("due_on"),
});

export type RecordRow = typeof records.$inferSelect;
