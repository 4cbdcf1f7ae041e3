import { sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { commit, retryOnConflict } from "#app/db/commit.server.ts";
import { type MessageRow, outbox } from "#app/db/schema.ts";
import { mayHaveArrived, queueMessage, type RequestMail } from "#app/mail/outbox.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { itemsFromRows, requestQueries } from "#app/verification/link.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { endWaiting } from "./end-request.server.ts";

/** How long before the end the technician is told. */
const WARNING_MS = 7 * DAY_MS;

/** How many requests one sweep ends; the next sweep ends the others. */
const AT_ONCE = 50;

/** Ends the requests whose time is over: their waiting items end, each with an event in the log of its record. */
export async function sweepExpired(db: Db, now: Date): Promise<void> {
  const expired = await db
    .select({ id: verificationRequests.id })
    .from(verificationRequests)
    .where(sql`ended_at IS NULL AND expires_at <= ${now.getTime()}`)
    .orderBy(verificationRequests.expiresAt)
    .limit(AT_ONCE);
  await forEachItem(expired, ({ id }) => retryOnConflict({ db }, "expire", () => expire(db, id, now)));
}

async function expire(db: Db, id: number, now: Date): Promise<true> {
  const rows = await batch(db, requestQueries(db, sql`id = ${id}`));
  const [request] = rows.request;
  if (!request || request.endedAt || request.expiresAt > now) return true; // it was answered or renewed meanwhile
  const waiting = itemsFromRows(rows, now).filter(({ state }) => state === "waiting");
  const { log, ended } = endWaiting({ db, now }, { requestId: id }, waiting, "expired");
  // Nothing waits in a request whose records were deleted.
  const end = db.update(verificationRequests).set({ endedAt: now }).where(sql`id = ${id} AND ended_at IS NULL`);
  await commit(db, rows.owner, { log, ended, end });
  return true;
}

/**
 * Tells technicians which requests end within a week: each request once for each renewal, and each technician once a day
 * at most, of all since the last email.
 */
export async function sweepExpiring(db: Db, now: Date, mail: RequestMail): Promise<void> {
  const own = sql`FROM ${outbox} AS told WHERE told.user_id = request.user_id AND told.kind = 'request_expiring'`;
  await batch(db, {
    queued: queueMessage(
      { db, now, mail },
      {
        kind: "request_expiring",
        userId: sql`request.user_id`,
        requestId: sql`min(request.id)`,
        from: sql`FROM ${verificationRequests} AS request
          WHERE ended_at IS NULL AND expires_at > ${now.getTime()} AND expires_at <= ${now.getTime() + WARNING_MS}
          AND expires_at > coalesce((SELECT max(told.created_at) ${own} AND ${mayHaveArrived}), 0) + ${WARNING_MS}
          AND NOT EXISTS (SELECT 1 ${own} AND told.created_at > ${now.getTime() - DAY_MS})`,
        grouping: sql`GROUP BY request.user_id LIMIT ${AT_ONCE}`,
      },
    ),
  });
}

/** The query for the requests that a message of `sweepExpiring` tells of, those that end first first. */
export function listExpiring(db: Db, { id, userId, createdAt }: MessageRow, now: Date) {
  return db
    .select({
      id: verificationRequests.id,
      supervisor: verificationRequests.supervisorName,
      expiresAt: verificationRequests.expiresAt,
      records: sql<number>`(SELECT count(*) FROM ${verificationItems} AS item
        WHERE item.request_id = ${verificationRequests}.id AND item.state = 'waiting')`.as("records"),
    })
    .from(verificationRequests)
    .where(
      sql`user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now.getTime()}
        AND expires_at <= ${createdAt.getTime() + WARNING_MS} AND expires_at > coalesce((SELECT max(created_at)
          FROM ${outbox} WHERE user_id = ${userId} AND kind = 'request_expiring' AND id < ${id} AND ${mayHaveArrived}),
          0) + ${WARNING_MS}`,
    )
    .orderBy(verificationRequests.expiresAt);
}
