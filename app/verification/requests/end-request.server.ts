import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import type { Changes } from "#app/audit-log/event-facts.ts";
import { appendEvents, type LastEvent, timeAfter } from "#app/audit-log/log.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { commit, retryOnConflict } from "#app/db/commit.server.ts";
import type { LogCause } from "#app/db/enumerations.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import type { KindAndRecord } from "#app/records/any-record.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { forEachItem } from "#app/server/logger.server.ts";
import { itemsFromRows, requestQueries } from "#app/verification/link.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

/** Which waiting items end: those of one request, or those of one record in all requests. */
type Ending = { requestId: number } | { recordId: number };

/** A record whose items end, with the last event of its log, which was read with it. */
interface EndingRecord extends KindAndRecord {
  last: LastEvent | undefined;
  /** The changes of an edit that ends them. */
  changes?: Changes;
}

/**
 * The statements that end waiting items, for `commit`: an event in the log of each record, the items, and the unsent emails of
 * requests in which nothing waits any longer. `records` are all those that wait in the request, or the one record if it waits
 * in one. A statement of the same batch that changes a record comes after them.
 */
export function endWaiting(
  { db, now, client }: Pick<AppLoadContext, "db" | "now"> & Partial<Pick<AppLoadContext, "client">>,
  which: Ending,
  records: readonly EndingRecord[],
  cause: LogCause,
) {
  const at = timeAfter(
    now,
    records.map(({ last }) => last),
  );
  const isMeant = "requestId" in which ? sql`request_id = ${which.requestId}` : sql`record_id = ${which.recordId}`;
  const requests =
    "requestId" in which ? sql`${which.requestId}` : sql`SELECT request_id FROM ${verificationItems} WHERE ${isMeant}`;
  return {
    // Another email about an edited record may follow within a day.
    ...(cause === "edited" && {
      marked: db.update(verificationItems).set({ edited: true }).where(sql`${isMeant} AND edited = 0`),
    }),
    log: appendEvents(
      db,
      records.map(({ kind, record, last, changes }) => ({
        position: { id: record.id, userId: record.userId, last },
        event: {
          event: "withdrawn",
          at,
          ...(client && { client }),
          cause,
          ...(changes && { changes }),
          recordHash: recordHash(kind, record),
        },
      })),
    ),
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause, decidedAt: at })
      .where(sql`${isMeant} AND state = 'waiting'`),
    // Also a message that is being sent: if it arrives, its link has ended, and a new request sends another email.
    cancelled: cancelMessages(
      { db, now },
      sql`request_id IN (${requests}) AND EXISTS (SELECT 1 FROM ${verificationRequests} AS request
        WHERE request.id = request_id AND request.ended_at IS NOT NULL)`,
    ),
  };
}

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
