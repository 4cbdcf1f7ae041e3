import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ITEM_STATES, type LinkEnd, type RequestEvent, VIAS, WITHHOLDINGS } from "#app/db/enumerations.ts";
import { instant, users } from "#app/db/schema.ts";
import { records } from "#app/records/records.table.ts";

/**
 * The tables of verification requests. Triggers (migrations/0001_initial.sql) keep three things true: a request has ended when
 * none of its items waits, an unverified record's `requestedAt` and `declinedAt` follow its items, and it has no own request
 * that has ended.
 */

const requestId = () =>
  integer("request_id")
    .notNull()
    .references(() => verificationRequests.id, { onDelete: "cascade" });

/** A request asks one supervisor to verify 1 to 100 records through one link. */
export const verificationRequests = sqliteTable(
  "verification_requests",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text().notNull().unique(),
    ownRecordId: integer("own_record_id"),
    supervisorId: integer("supervisor_id"),
    /** As the technician typed it; `supervisorName` of an answer is what the supervisor typed. */
    requestedName: text("supervisor_name"),
    supervisorEmail: text("supervisor_email"),
    nonce: text().notNull().default(sql`(lower(hex(randomblob(16))))`),
    reminders: integer({ mode: "boolean" }).notNull().default(true),
    submission: text(),
    createdAt: instant("created_at").notNull(),
    requestedAt: instant("requested_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    openedAt: instant("opened_at"),
    endedAt: instant("ended_at"),
    reminded: integer().notNull().default(0),
    remindAt: instant("remind_at"),
    timeZone: text("time_zone"),
    supervisorTimeZone: text("supervisor_time_zone"),
    emailWithheld: text("email_withheld", { enum: WITHHOLDINGS }),
    mailAt: instant("mail_at"),
    mailedWith: integer("mailed_with"),
  },
  (table) => [
    uniqueIndex("verification_requests_own").on(table.ownRecordId).where(sql`own_record_id IS NOT NULL`),
    uniqueIndex("verification_requests_by_submission")
      .on(table.userId, table.submission)
      .where(sql`submission IS NOT NULL`),
  ],
);

/** The verifications in the name of an address, with a link to disown them. */
export const supervisorNotices = sqliteTable(
  "supervisor_notices",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    recipient: text().notNull(),
    nonce: text().notNull().default(sql`(lower(hex(randomblob(16))))`),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [uniqueIndex("supervisor_notices_by_nonce").on(table.nonce)],
);

/** Supervisors who do not know a technician: no email from that account goes to the mailbox, which is kept as an HMAC. */
export const unknownTechnicians = sqliteTable(
  "unknown_technicians",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    mailbox: text().notNull(),
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mailbox] })],
);

/** One submission of a supervisor's answers. */
export const verificationAnswers = sqliteTable("verification_answers", {
  id: integer().primaryKey({ autoIncrement: true }),
  requestId: requestId(),
  name: text(),
  via: text({ enum: VIAS }).notNull(),
  at: instant("at").notNull(),
  noticeId: integer("notice_id").references(() => supervisorNotices.id, { onDelete: "set null" }),
  /** Whether its address had stopped all emails when the notice was due. */
  suppressed: integer({ mode: "boolean" }).notNull().default(false),
});

/** The records of a request, and what became of each. */
export const verificationItems = sqliteTable(
  "verification_items",
  {
    requestId: requestId(),
    recordId: integer("record_id")
      .notNull()
      .references(() => records.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    state: text({ enum: ITEM_STATES }).notNull().default("waiting"),
    cause: text().$type<LinkEnd>(),
    reason: text(),
    decidedAt: instant("decided_at"),
    edited: integer({ mode: "boolean" }).notNull().default(false),
    answerId: integer("answer_id").references(() => verificationAnswers.id, { onDelete: "set null" }),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.recordId] })],
);

/** For a query of the items: the kind of an item's record, also of one that its owner has deleted. */
export const ITEM_KIND = sql<string>`(SELECT kind FROM records WHERE records.id = verification_items.record_id)`.as(
  "kind",
);

/** The events of a request, other than the decisions, which are in the audit logs of its records. */
export const requestEvents = sqliteTable("request_events", {
  id: integer().primaryKey({ autoIncrement: true }),
  requestId: requestId(),
  event: text().$type<RequestEvent>().notNull(),
  at: instant("at").notNull(),
  address: text(),
  browser: text(),
});

export type RequestRow = typeof verificationRequests.$inferSelect;
export type ItemRow = typeof verificationItems.$inferSelect;
export type RequestEventRow = typeof requestEvents.$inferSelect;
