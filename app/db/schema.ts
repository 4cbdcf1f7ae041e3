import { type Column, sql } from "drizzle-orm";
import { blob, customType, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  CERTIFICATION_LEVELS,
  LINK_PURPOSES,
  LOG_EVENTS,
  type LogCause,
  MAIL_CHANGES,
  MESSAGE_FAILURES,
  MESSAGE_KINDS,
  MESSAGE_STATES,
  SIDES,
  VIAS,
} from "./enumerations.ts";

/**
 * The tables of spec section 3 for Drizzle, and the source of all row types. The SQL that creates them, with CHECKs and
 * triggers, is in `migrations/`; `schema.worker.test.ts` compares the two.
 * Calendar dates are text, `YYYY-MM-DD`. Instants are milliseconds since 1970, `Date` in code.
 */

export const id = () => integer().primaryKey({ autoIncrement: true });
export const userId = () =>
  integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
export const instant = (name: string) => integer(name, { mode: "timestamp_ms" });
export const createdAt = () => instant("created_at").notNull();

/** A hash: bytes in the database, hexadecimal in code. Queries read it by `hexOf`. */
const hashColumn = customType<{ data: string; driverData: string }>({
  dataType: () => "blob",
  toDriver: (hex) => sql`unhex(${hex})`,
});

/** A hash in a query, under the column's name: D1 returns bytes as a list of numbers. */
export function hexOf<Stored extends Column>(column: Stored) {
  type Hex = Stored["_"]["notNull"] extends true ? string : string | null;
  return sql<Hex>`${sql.raw(hexSql(column.name))}`.as(column.name);
}

/** The same in SQL text. */
export function hexSql(column: string): string {
  return `nullif(lower(hex(${column})), '')`;
}

export const users = sqliteTable("users", {
  id: id(),
  email: text().notNull().unique(),
  password: text().notNull(),
  name: text(),
  employeeNumber: text("employee_number"),
  isAdmin: integer("is_admin", { mode: "boolean" }).notNull().default(false),
  resetToken: text("reset_token").unique(),
  resetTokenExpiry: instant("reset_token_expiry"),
  search: text().notNull(),
  createdAt: createdAt(),
  resetNonce: text("reset_nonce"),
  resetMailed: integer("reset_mailed", { mode: "boolean" }).notNull().default(false),
  emailConfirmedAt: instant("email_confirmed_at"),
  /** A random value that represents the user in hashes of records (app/records/record-hash.server.ts). */
  owner: blob({ mode: "buffer" }).notNull().unique().default(sql`(randomblob(16))`),
  lockedAt: instant("locked_at"),
  leftOn: text("left_on"),
  renewalEmails: integer("renewal_emails", { mode: "boolean" }).notNull().default(true),
  revision: integer().notNull().default(0),
  bytes: integer().notNull().default(0),
  bytesCountedOn: text("bytes_counted_on").notNull().default(""),
});

/** Never holds a row: a trigger compares and raises the revision of each account (commit.server.ts). */
export const acts = sqliteTable("acts", {
  userId: integer("user_id").notNull(),
  revision: integer().notNull(),
  bytes: integer().notNull(),
  bytesMax: integer("bytes_max"),
});

export const sessions = sqliteTable("sessions", {
  id: text().primaryKey(),
  userId: userId(),
  createdAt: createdAt(),
  expiresAt: instant("expires_at").notNull(),
  reference: text(),
  address: text(),
  place: text(),
  browser: text(),
});

export const supervisors = sqliteTable(
  "supervisors",
  {
    id: id(),
    userId: userId(),
    name: text().notNull(),
    email: text().notNull(),
    mailbox: text().notNull(),
    phone: text(),
    certificationLevel: text("certification_level", { enum: CERTIFICATION_LEVELS }),
    company: text(),
    role: text(),
    submission: text(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("supervisors_by_mailbox").on(table.userId, table.mailbox)],
);

/** Emails to send, and their state. */
export const outbox = sqliteTable("outbox", {
  id: id(),
  kind: text({ enum: MESSAGE_KINDS }).notNull(),
  userId: userId(),
  submission: text(),
  state: text({ enum: MESSAGE_STATES }).notNull(),
  attempts: integer().notNull().default(0),
  unknownOutcomes: integer("unknown_outcomes").notNull().default(0),
  lease: text(),
  dueAt: instant("due_at"),
  reason: text({ enum: MESSAGE_FAILURES }),
  createdAt: createdAt(),
  endedAt: instant("ended_at"),
  recipient: text(),
  requestId: integer("request_id"),
  keyRefusedAt: instant("key_refused_at"),
});

/** Addresses that a technician has caused emails to, from messages that are no longer in the outbox. */
export const knownRecipients = sqliteTable(
  "known_recipients",
  {
    userId: userId(),
    recipient: text().notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.recipient] })],
);

/** Addresses that asked for no more emails, as an HMAC. */
export const suppressedAddresses = sqliteTable("suppressed_addresses", {
  subject: text().primaryKey(),
  at: instant("at").notNull(),
  noticedAt: instant("noticed_at"),
});

/** The last run of the sweeps (app/sweeps): one row. */
export const sweepRuns = sqliteTable("sweep_runs", {
  name: text().primaryKey(),
  at: integer({ mode: "timestamp_ms" }).notNull(),
  removed: integer().notNull(),
});

/** The last new version, new SESSION_SECRET and restore from a backup (app/mail/changes.server.ts). */
export const mailChanges = sqliteTable("mail_changes", {
  kind: text({ enum: MAIL_CHANGES }).primaryKey(),
  value: text().notNull(),
  at: instant("at").notNull(),
  waiting: integer(),
  ended: integer(),
});

/** The check of the audit log (app/admin/log-check.server.ts): one row. */
export const logChecks = sqliteTable("log_checks", {
  only: integer().primaryKey(),
  step: integer().notNull(),
  progress: text(),
  startedAt: instant("started_at").notNull(),
  at: integer({ mode: "timestamp_ms" }),
  events: integer(),
  faults: integer(),
  found: text(),
});

/** The admin for whom `RESET_ADMIN` has made a link (app/accounts/reset.server.ts): one row at most. */
export const adminResets = sqliteTable("admin_resets", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  madeAt: instant("made_at").notNull(),
});

/** The attempts that a rate limit counts (app/server/attempt-limits.server.ts). */
export const attempts = sqliteTable("attempts", {
  id: id(),
  subject: text().notNull(),
  at: integer({ mode: "timestamp_ms" }).notNull(),
});

/** The audit log: for each record a chain of events, which are only appended (app/audit-log/log.server.ts). */
export const verificationLog = sqliteTable(
  "verification_log",
  {
    id: id(),
    /** Not a foreign key, because the record may have been deleted. */
    recordId: integer("record_id").notNull(),
    number: integer().notNull(),
    event: text({ enum: LOG_EVENTS }).notNull(),
    at: integer({ mode: "timestamp_ms" }).notNull(),
    cause: text().$type<LogCause>(),
    via: text({ enum: VIAS }),
    recordHash: hashColumn("record_hash").notNull(),
    technicianHash: hashColumn("technician_hash"),
    supervisorHash: hashColumn("supervisor_hash"),
    previous: hashColumn().notNull(),
    hash: hashColumn().notNull(),
  },
  (table) => [uniqueIndex("verification_log_by_record").on(table.recordId, table.number)],
);

/**
 * The personal facts of events, by whom they are about, until they are erased (app/audit-log/event-facts.ts). The events with
 * this hash are from `firstEvent` to `lastEvent`.
 */
export const eventFacts = sqliteTable("event_facts", {
  hash: hashColumn().primaryKey(),
  about: text({ enum: SIDES }).notNull(),
  userId: userId(),
  firstEvent: integer("first_event").notNull(),
  lastEvent: integer("last_event").notNull(),
  salt: blob({ mode: "buffer" }).notNull(),
  facts: text().notNull(),
});

/** The condition of a join that a row of `facts` (an alias of `event_facts`) belongs to an event of the log `log`. */
export const IS_FACT_OF_EVENT =
  "log.id BETWEEN facts.first_event AND facts.last_event AND facts.hash IN (log.technician_hash, log.supervisor_hash)";

/** How many events of the log an account made on its last day with any (app/audit-log/log.server.ts). */
export const eventCounts = sqliteTable("event_counts", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  day: integer().notNull(),
  events: integer().notNull(),
});

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
export type SupervisorRow = typeof supervisors.$inferSelect;
export type MessageRow = typeof outbox.$inferSelect;
export type LogRow = typeof verificationLog.$inferSelect;

/** Links that change the email address of an account, or confirm it: open, or used. */
export const accountLinks = sqliteTable(
  "account_links",
  {
    id: id(),
    userId: userId(),
    purpose: text({ enum: LINK_PURPOSES }).notNull(),
    email: text().notNull(),
    oldEmail: text("old_email"),
    token: text().notNull().unique(),
    nonce: text().notNull(),
    createdAt: createdAt(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    usedAt: integer("used_at", { mode: "timestamp_ms" }),
  },
  (table) => [uniqueIndex("account_links_open").on(table.userId, table.purpose).where(sql`used_at IS NULL`)],
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

export type AccountLinkRow = typeof accountLinks.$inferSelect;
