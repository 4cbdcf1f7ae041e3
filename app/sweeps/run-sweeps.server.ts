import { lt } from "drizzle-orm";
import { USED_LINK_KEPT_MS } from "#app/accounts/request-email-change.server.ts";
import { DAY_MS } from "#app/calendar-date.ts";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { countStored } from "#app/db/stored-bytes.server.ts";
import { EVENTS_KEPT_MS } from "#app/events/events.table.ts";
import { MAY_HAVE_ARRIVED, newRequestMail } from "#app/mail/outbox.server.ts";
import { UNDO_DELETION_MS } from "#app/records/queries.server.ts";
import { ATTEMPT_KEPT_MS, CLOCK_SKEW } from "#app/server/attempt-limits.server.ts";
import { forEachItem, logEvent, throwFirst } from "#app/server/logger.server.ts";
import { sweepSupervisorEmails } from "#app/supervisor-mail/emails.server.ts";
import { KNOWN_MS } from "#app/supervisor-mail/limits.server.ts";
import { UNDO_IMPORT_MS, UNUSED_IMPORT_MS } from "#app/transfer/stored-import.server.ts";
import { sweepExpired } from "#app/verification/requests/end-request.server.ts";

/*
 * The work of the timer: everything that is removed because time has passed, in one table, and then the ends of
 * verification requests. The bounds of each table of the database are in docs/scale.md, and a test compares the two.
 */

/** How many rows one run of a sweep removes: at one run a minute, 1,440,000 a day. */
export const AT_ONCE = 1_000;

interface Sweep {
  /** As the log and docs/scale.md name it. */
  name: string;
  table: string;
  /** The index that finds the oldest rows first, so that no run reads a row that it keeps. */
  index: string;
  /** How long a row is kept after its time, in milliseconds. */
  age: number;
  /** The statements of one run, in one transaction; the last one removes the rows. `?1` is now minus the age. */
  statements: readonly string[];
}

/** The ids (or another column) of the oldest rows by `time` that are due, all of them or those that also meet a condition. */
function dueIn(table: string, time: string, condition = "", column = "id"): string {
  return `SELECT ${column} FROM ${table} WHERE ${time} <= ?1 ${condition} ORDER BY ${time} LIMIT ${AT_ONCE}`;
}

/** Deletes the rows that `dueIn` selects. */
function deletion(table: string, time: string, condition?: string): readonly string[] {
  return [`DELETE FROM ${table} WHERE id IN (${dueIn(table, time, condition)})`];
}

/** The same of rows that acts of their users depend on: an act that has read one is decided again (app/db/commit.server.ts). */
function guardedDeletion(table: string, time: string, condition?: string): readonly string[] {
  return [raiseRevisions(table, time, condition), ...deletion(table, time, condition)];
}

function raiseRevisions(table: string, time: string, condition?: string): string {
  return `INSERT INTO acts SELECT id, revision, 0, NULL FROM users WHERE id IN (${dueIn(table, time, condition, "user_id")})`;
}

/** The nonce of a request whose secrets were removed. */
const NO_NONCE = "'00000000000000000000000000000000'";
const HAS_SECRETS = `AND ended_at IS NOT NULL AND nonce <> ${NO_NONCE}`;

const ENDED_MESSAGES = dueIn("outbox", "ended_at");

export const SWEEPS: readonly Sweep[] = [
  {
    name: "sessions",
    table: "sessions",
    index: "sessions_by_expiry",
    age: 0,
    statements: deletion("sessions", "expires_at"),
  },
  {
    // An expired link is refused as an unknown one is, but does not count as an attempt for this day.
    name: "reset links",
    table: "users",
    index: "users_by_reset",
    age: DAY_MS,
    statements: [
      `UPDATE users SET reset_token = NULL, reset_token_expiry = NULL, reset_nonce = NULL
        WHERE id IN (${dueIn("users", "reset_token_expiry")})`,
    ],
  },
  {
    // Until then a used link to confirm an address says so.
    name: "account links",
    table: "account_links",
    index: "account_links_by_expiry",
    age: 0,
    statements: guardedDeletion(
      "account_links",
      "expires_at",
      `AND (used_at IS NULL OR used_at <= ?1 - ${USED_LINK_KEPT_MS})`,
    ),
  },
  {
    name: "attempts",
    table: "attempts",
    index: "attempts_by_time",
    age: ATTEMPT_KEPT_MS,
    statements: deletion("attempts", "at"),
  },
  {
    // Attempts of a clock that was ahead.
    name: "attempts of the future",
    table: "attempts",
    index: "attempts_by_time",
    age: -CLOCK_SKEW,
    statements: [
      `DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE at > ?1 ORDER BY at LIMIT ${AT_ONCE})`,
    ],
  },
  {
    name: "deleted records",
    table: "records",
    index: "records_deleted",
    age: UNDO_DELETION_MS,
    statements: guardedDeletion("records", "deleted_at"),
  },
  {
    name: "unused imports",
    table: "imports",
    index: "imports_unused",
    age: UNUSED_IMPORT_MS,
    statements: guardedDeletion("imports", "created_at", "AND applied_at IS NULL"),
  },
  {
    name: "imports",
    table: "imports",
    index: "imports_by_time",
    age: UNDO_IMPORT_MS,
    statements: guardedDeletion("imports", "created_at"),
  },
  {
    name: "messages",
    table: "outbox",
    index: "outbox_by_end",
    age: 30 * DAY_MS,
    statements: [
      // Whom it was for counts for longer: app/supervisor-mail/limits.server.ts.
      `INSERT INTO known_recipients SELECT user_id, recipient, max(created_at) FROM outbox
        WHERE id IN (${ENDED_MESSAGES}) AND recipient IS NOT NULL AND ${MAY_HAVE_ARRIVED}
        GROUP BY user_id, recipient
        ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at)`,
      `DELETE FROM outbox WHERE id IN (${ENDED_MESSAGES})`,
    ],
  },
  {
    name: "known recipients",
    table: "known_recipients",
    index: "known_recipients_by_time",
    age: KNOWN_MS,
    statements: [
      `DELETE FROM known_recipients WHERE (user_id, recipient) IN (SELECT user_id, recipient FROM known_recipients
        WHERE last_at <= ?1 ORDER BY last_at LIMIT ${AT_ONCE})`,
    ],
  },
  {
    // Their link ended before; it is refused as an unknown one is.
    name: "notices",
    table: "supervisor_notices",
    index: "supervisor_notices_by_expiry",
    age: 30 * DAY_MS,
    statements: deletion("supervisor_notices", "expires_at"),
  },
  {
    // Their ids are microseconds.
    name: "events",
    table: "events",
    index: "INTEGER PRIMARY KEY",
    age: EVENTS_KEPT_MS,
    statements: [
      `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id <= ?1 * 1000 ORDER BY id LIMIT ${AT_ONCE})`,
    ],
  },
  {
    // Until then a call with an ended token gets that answer, and the account page lists it.
    name: "ended tokens",
    table: "api_tokens",
    index: "api_tokens_by_expiry",
    age: 30 * DAY_MS,
    statements: deletion("api_tokens", "expires_at"),
  },
  {
    // The columns that only an open request needs. Its token and states stay: the link shows for ever how its request
    // ended.
    name: "secrets of requests",
    table: "verification_requests",
    index: "verification_requests_to_strip",
    age: 30 * DAY_MS,
    statements: [
      raiseRevisions("verification_requests", "ended_at", HAS_SECRETS),
      `UPDATE verification_requests SET nonce = ${NO_NONCE}, submission = NULL, remind_at = NULL, time_zone = NULL,
          supervisor_time_zone = NULL
        WHERE id IN (${dueIn("verification_requests", "ended_at", HAS_SECRETS)})`,
    ],
  },
];

type Database = Pick<D1DatabaseSession, "prepare" | "batch">;

/**
 * Runs all sweeps and logs one line: how many rows each has removed, if any. If one fails, the others run all the same;
 * the run is then not noted, so that `sweep_runs` shows since when not all of them work (docs/scale.md).
 * @throws {Error} the first failure
 */
export async function runSweeps(db: Database, now: Date): Promise<void> {
  const results = await Promise.allSettled(SWEEPS.map((sweep) => run(db, sweep, now)));
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  for (const [index, result] of results.entries()) {
    const name = SWEEPS[index]?.name ?? "";
    if (result.status === "fulfilled") {
      if (result.value > 0) removed[name] = result.value;
    } else {
      failed.push(name);
    }
  }
  logEvent(failed.length > 0 ? "error" : "info", "sweep", { removed, failed });
  throwFirst(results);
  const total = Object.values(removed).reduce((sum, count) => sum + count, 0);
  await db.prepare("INSERT OR REPLACE INTO sweep_runs VALUES ('all', ?, ?)").bind(now.getTime(), total).run();
}

/** Returns how many rows a sweep has removed or stripped. */
async function run(db: Database, { statements, age }: Sweep, now: Date): Promise<number> {
  const results = await db.batch(statements.map((sql) => db.prepare(sql).bind(now.getTime() - age)));
  return results.at(-1)?.meta.changes ?? 0;
}

/**
 * Runs the timer's work for verification requests: it ends those whose time is over, and queues the emails about them.
 * Without mail (`null`) it queues none. If one part fails, the others are done all the same.
 */
export async function sweepRequests(db: Db, now: Date, mail: { secret: string } | null): Promise<void> {
  const context = mail && { db, now, secret: mail.secret, mail: newRequestMail(true) };
  const [ended, emails] = await Promise.allSettled([
    sweepExpired(db, now),
    context ? sweepSupervisorEmails(context) : [],
  ]);
  throwFirst([ended, ...(emails.status === "fulfilled" ? emails.value : [emails])]);
}

/** The most accounts whose rows are counted in a minute. */
const COUNTED_AT_ONCE = 50;

/**
 * Counts the bytes that accounts store, each once a day, by UTC: those first that were counted the longest ago. Most deletions do
 * not lower the figure (app/db/stored-bytes.server.ts), so until then what was deleted still counts.
 */
export async function countBytes(db: Db, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const accounts = await db
    .select({ id: users.id })
    .from(users)
    .where(lt(users.bytesCountedOn, today))
    .orderBy(users.bytesCountedOn)
    .limit(COUNTED_AT_ONCE);
  await forEachItem(accounts, ({ id }) => countStored(db, id, today));
}
