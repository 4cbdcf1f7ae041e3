import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, userId } from "#app/db/schema.ts";
import { kinds } from "#app/records/records.table.ts";
import type { ColumnMeaning } from "./columns.ts";
import { DATE_ORDERS } from "./read-date.ts";
import type { MethodValues } from "./read-records.ts";

/** Files and pasted text that technicians import. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    userId: userId(),
    kind: text()
      .notNull()
      .references(() => kinds.name),
    content: text().notNull(),
    mapping: text({ mode: "json" }).$type<(ColumnMeaning | null)[]>().notNull(),
    dateOrder: text("date_order", { enum: DATE_ORDERS }),
    methods: text({ mode: "json" }).$type<MethodValues>().notNull().default(sql`'{}'`),
    person: text(),
    skip: text({ mode: "json" }).$type<number[]>(),
    duplicates: text().notNull().default(""),
    days: text({ mode: "json" }).$type<{ [date: string]: number }>().notNull().default(sql`'{}'`),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    appliedAt: integer("applied_at", { mode: "timestamp_ms" }),
    created: integer(),
    skipped: integer(),
  },
  (table) => [
    index("imports_by_user").on(table.userId, table.createdAt),
    index("imports_by_time").on(table.createdAt),
    index("imports_unused").on(table.createdAt).where(sql`applied_at IS NULL`),
  ],
);

export type ImportRow = typeof imports.$inferSelect;
