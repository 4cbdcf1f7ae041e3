import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { outbox, users, verificationLog } from "#app/db/schema.ts";
import { mayHaveArrived, queueMessage } from "#app/mail/outbox.server.ts";
import { latest } from "#app/server/attempt-limits.server.ts";

/*
 * The digest tells a technician what supervisors answered: what they verified, declined and disowned, and that they do not
 * know the technician. The first is sent at
 * once, then one an hour at most, with all since. Anyone who has a link can cause any number of answers, and an account can
 * answer its own requests, so one email for each answer would be as many as anyone wants.
 *
 * A digest covers the events of the audit log from the one that caused it (`submission`, an id of the log) to the one that
 * caused the next digest. As long as a digest waits, what happens joins it; once it is being sent, what happens causes the
 * next one, which is due an hour later. So each event is in exactly one digest, whenever the Worker stops. What it says is read
 * when it is sent (telling/digest-email.server.ts).
 */

const HOUR_MS = 60 * 60 * 1000;

/** The kind of its message in the outbox. */
export const DIGEST = "hours_verified";

interface Answered {
  userId: number;
  requestId: number;
  /** How many events were appended to the audit log in this batch. */
  events: number;
}

/**
 * The statement that queues the digest for the owner of records, unless one waits. It must follow the statement that appends
 * the events, in the same batch.
 */
export function queueDigest(context: AppLoadContext, { userId, requestId, events }: Answered) {
  const { now } = context;
  return queueMessage(context, {
    kind: DIGEST,
    userId: sql`${userId}`,
    requestId: sql`${requestId}`,
    // D1 binds every number as REAL.
    submission: sql`(SELECT CAST(CAST(max(id) - ${events - 1} AS INTEGER) AS TEXT) FROM ${verificationLog})`,
    dueAt: nextDigest(userId, now),
    from: sql`FROM ${users} WHERE id = ${userId} AND NOT EXISTS (SELECT 1 FROM ${outbox}
      WHERE user_id = ${userId} AND kind = ${DIGEST} AND state = 'waiting' AND unknown_outcomes = 0)`,
  });
}

/** When the next digest may be sent: an hour after the last one, which may be on its way; NULL if at once. */
export function nextDigest(userId: number, now: Date, which: SQL = sql`true`): SQL<number | null> {
  const at = now.getTime();
  return sql<number | null>`(SELECT max(iif(due_at IS NULL, ended_at, ${at})) + ${HOUR_MS} FROM ${outbox}
    WHERE user_id = ${userId} AND kind = ${DIGEST} AND ${which} AND (due_at IS NOT NULL
      OR (ended_at > ${at - HOUR_MS} AND ended_at <= ${latest(now).getTime()} AND ${mayHaveArrived})))`;
}
