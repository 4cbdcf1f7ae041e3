import { sql } from "drizzle-orm";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, userId } from "#app/db/schema.ts";

/** What a token may do: read, or read and write. */
export const TOKEN_ACCESSES = ["read", "write"] as const;
export type TokenAccess = (typeof TOKEN_ACCESSES)[number];

/** Personal API tokens and service tokens (migrations/0001_initial.sql, "Accounts"). */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: id(),
    userId: userId(),
    name: text().notNull(),
    access: text({ enum: TOKEN_ACCESSES }).notNull(),
    isService: integer("is_service", { mode: "boolean" }).notNull().default(false),
    hash: text().notNull().unique(),
    submission: text(),
    createdAt: createdAt(),
    lastUsedAt: integer("last_used_at", { mode: "timestamp_ms" }),
    /** Midnight UTC after its last day, `expiresOn` in the API. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("api_tokens_by_submission").on(table.userId, table.submission).where(sql`submission IS NOT NULL`),
  ],
);

export type ApiToken = typeof apiTokens.$inferSelect;
