import { type SQL, sql } from "drizzle-orm";
import { USED_CHANGE_KEPT_MS } from "#app/accounts/open-email-change.server.ts";
import { UNDO_DELETION_MS } from "#app/corrections/delete.server.ts";
import { mayHaveArrived } from "#app/mail/outbox.server.ts";
import { ATTEMPT_KEPT_MS, latest } from "#app/server/attempt-limits.server.ts";
import { UNDO_IMPORT_MS, UNUSED_IMPORT_MS } from "#app/transfer/stored-import.server.ts";
import { KNOWN_MS } from "#app/verification/requests/email-limits.server.ts";

/*
 * Everything that is deleted because time has passed, in one table. What each table of the database is bounded by is in
 * docs/scale.md, and sweeps.worker.test.ts compares the two.
 */

/** How many rows one run of a sweep removes: at one run a minute, 1,440,000 a day. */
export const AT_ONCE = 1_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a message is kept after it was sent or has failed, and what only an open request needs after its end. */
const ENDED_MS = 30 * DAY_MS;

/** The nonce of a request whose secrets were swept. */
const NO_NONCE = "0".repeat(32);

export interface Sweep {
  /** As the log and docs/scale.md name it. */
  name: string;
  table: string;
  /** The index that finds the oldest rows first, so that no run reads a row that it keeps. */
  index: string;
  /** The statements of one run, in one transaction. The last one removes the rows. */
  statements(now: Date): SQL[];
}

/** The ids of at most `AT_ONCE` rows, the oldest by `time` first. */
function oldest(table: string, time: string, condition: SQL): SQL {
  return sql.join([
    sql.raw(`SELECT id FROM ${table} WHERE `),
    condition,
    sql.raw(` ORDER BY ${time} LIMIT ${AT_ONCE}`),
  ]);
}

function deletion(table: string, time: string, condition: SQL): SQL {
  return sql`DELETE FROM ${sql.raw(table)} WHERE id IN (${oldest(table, time, condition)})`;
}

const before = (now: Date, ms = 0) => now.getTime() - ms;

export const SWEEPS: readonly Sweep[] = [
  {
    ...{ name: "sessions", table: "sessions", index: "sessions_by_expiry" },
    statements: (now) => [deletion("sessions", "expires_at", sql`expires_at <= ${before(now)}`)],
  },
  {
    ...{ name: "reset links", table: "users", index: "users_by_reset" },
    // A day after their end: until then an email that was late can still say that its link has expired.
    statements: (now) => [
      sql`UPDATE users SET reset_token = NULL, reset_token_expiry = NULL, reset_nonce = NULL
        WHERE id IN (${oldest("users", "reset_token_expiry", sql`reset_token_expiry <= ${before(now, DAY_MS)}`)})`,
    ],
  },
  {
    ...{ name: "email changes", table: "email_changes", index: "email_changes_by_expiry" },
    statements: (now) => [
      deletion(
        "email_changes",
        "expires_at",
        sql`expires_at <= ${before(now)} AND (used_at IS NULL OR used_at <= ${before(now, USED_CHANGE_KEPT_MS)})`,
      ),
    ],
  },
  {
    ...{ name: "attempts", table: "tries", index: "tries_by_time" },
    statements: (now) => [deletion("tries", "at", sql`at <= ${before(now, ATTEMPT_KEPT_MS)}`)],
  },
  {
    // Of a clock that was ahead.
    ...{ name: "attempts in the future", table: "tries", index: "tries_by_time" },
    statements: (now) => [deletion("tries", "at", sql`at > ${latest(now).getTime()}`)],
  },
  {
    ...{ name: "deleted records", table: "deleted_records", index: "deleted_records_by_time" },
    statements: (now) => [
      deletion("deleted_records", "deleted_at", sql`deleted_at <= ${before(now, UNDO_DELETION_MS)}`),
    ],
  },
  {
    ...{ name: "unused imports", table: "imports", index: "imports_unused" },
    statements: (now) => [
      deletion("imports", "created_at", sql`applied_at IS NULL AND created_at <= ${before(now, UNUSED_IMPORT_MS)}`),
    ],
  },
  {
    ...{ name: "imports", table: "imports", index: "imports_by_time" },
    statements: (now) => [deletion("imports", "created_at", sql`created_at <= ${before(now, UNDO_IMPORT_MS)}`)],
  },
  {
    ...{ name: "messages", table: "outbox", index: "outbox_by_end" },
    statements: (now) => {
      const ended = oldest("outbox", "ended_at", sql`ended_at <= ${before(now, ENDED_MS)}`);
      return [
        // Whom it was for counts for longer: email-limits.server.ts.
        sql`INSERT INTO known_recipients SELECT user_id, recipient, max(created_at) FROM outbox
          WHERE id IN (${ended}) AND recipient IS NOT NULL AND ${mayHaveArrived} GROUP BY user_id, recipient
          ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at)`,
        sql`DELETE FROM outbox WHERE id IN (${ended})`,
      ];
    },
  },
  {
    ...{ name: "known recipients", table: "known_recipients", index: "known_recipients_by_time" },
    statements: (now) => [
      sql`DELETE FROM known_recipients WHERE (user_id, recipient) IN (SELECT user_id, recipient FROM known_recipients
        WHERE last_at <= ${before(now, KNOWN_MS)} ORDER BY last_at LIMIT ${sql.raw(String(AT_ONCE))})`,
    ],
  },
  {
    // Their link has ended for a month; an unknown one is answered alike.
    ...{ name: "notices", table: "supervisor_notices", index: "supervisor_notices_by_expiry" },
    statements: (now) => [deletion("supervisor_notices", "expires_at", sql`expires_at <= ${before(now, ENDED_MS)}`)],
  },
  {
    // The token and the states stay: the link says for ever what became of its request.
    ...{ name: "secrets of requests", table: "verification_requests", index: "verification_requests_to_strip" },
    statements: (now) => [
      sql`UPDATE verification_requests SET nonce = ${sql.raw(`'${NO_NONCE}'`)}, submission = NULL, remind_at = NULL,
          time_zone = NULL, supervisor_time_zone = NULL
        WHERE id IN (${oldest(
          "verification_requests",
          "ended_at",
          sql`ended_at IS NOT NULL AND nonce <> ${sql.raw(`'${NO_NONCE}'`)} AND ended_at <= ${before(now, ENDED_MS)}`,
        )})`,
    ],
  },
];
