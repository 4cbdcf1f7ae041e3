import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, userId } from "./schema.ts";

/** Requested changes of an account's email address: open, or used a short time ago. */
export const emailChanges = sqliteTable(
  "email_changes",
  {
    id: id(),
    userId: userId(),
    oldEmail: text("old_email").notNull(),
    newEmail: text("new_email").notNull(),
    token: text().notNull().unique(),
    nonce: text().notNull(),
    createdAt: createdAt(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    usedAt: integer("used_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("email_changes_open").on(table.userId).where(sql`used_at IS NULL`),
    index("email_changes_by_user").on(table.userId),
    index("email_changes_by_expiry").on(table.expiresAt),
  ],
);

/** Links that confirm the address of an account: open, or used. */
export const emailConfirmations = sqliteTable(
  "email_confirmations",
  {
    id: id(),
    userId: userId(),
    email: text().notNull(),
    token: text().notNull().unique(),
    nonce: text().notNull(),
    createdAt: createdAt(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    usedAt: integer("used_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("email_confirmations_open").on(table.userId).where(sql`used_at IS NULL`),
    index("email_confirmations_by_user").on(table.userId),
    index("email_confirmations_by_expiry").on(table.expiresAt),
  ],
);

/** The addresses that an account had before, as hashes (app/accounts/own-addresses.server.ts). */
export const earlierAddresses = sqliteTable(
  "earlier_addresses",
  {
    id: id(),
    userId: userId(),
    address: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("earlier_addresses_by_user").on(table.userId, table.address)],
);

export type EmailConfirmationRow = typeof emailConfirmations.$inferSelect;
export type EmailChangeRow = typeof emailChanges.$inferSelect;
