import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The public keys that statements were signed with (migrations/0001_initial.sql, "Proof"). */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    kid: text().primaryKey(),
    x: text().notNull(),
    /** When a statement was first signed with it. */
    addedAt: integer("added_at", { mode: "timestamp_ms" }).notNull(),
    /** When one was first signed with another key since; null while it is in use. */
    retiredAt: integer("retired_at", { mode: "timestamp_ms" }),
  },
  (table) => [index("signing_keys_by_retirement").on(table.retiredAt)],
);
