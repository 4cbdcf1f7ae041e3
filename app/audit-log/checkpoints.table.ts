import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id } from "#app/db/schema.ts";

/** The Merkle tree over the hashes of all events: one row, with the log's own random id. */
export const logTree = sqliteTable("log_tree", {
  only: integer().primaryKey(),
  id: blob({ mode: "buffer" }).notNull(),
  size: integer().notNull(),
  lastEvent: integer("last_event").notNull(),
  roots: text().notNull(),
});

/** The signed heads of that tree, one a day; rows are only added. */
export const checkpoints = sqliteTable(
  "checkpoints",
  {
    id: id(),
    size: integer().notNull(),
    root: text().notNull(),
    at: integer({ mode: "timestamp_ms" }).notNull(),
    note: text().notNull(),
  },
  (table) => [index("checkpoints_by_time").on(table.at)],
);

export type CheckpointRow = typeof checkpoints.$inferSelect;
