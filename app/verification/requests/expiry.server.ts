import { sql } from "drizzle-orm";
import { appendEvents, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch, type Db } from "#app/db/client.server.ts";
import { outbox } from "#app/db/schema.ts";
import { queueMessage, type RequestMail } from "#app/mail/outbox.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { linkFromRows, requestQueries } from "#app/verification/link.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { DAY_MS } from "./ask.server.ts";

/** How long before the end the technician is told (product, "Expiry"). */
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
  for (const { id } of expired) await retryOnConflict(() => expire(db, id, now));
}

async function expire(db: Db, id: number, now: Date): Promise<true | null> {
  // As before its end, so that the items are found.
  const link = linkFromRows(await batch(db, requestQueries(db, sql`id = ${id}`)), null, new Date(0));
  if (link.state === "unknown") return endItems(db, id, now); // its records were deleted
  const isExpired = sql`EXISTS (SELECT 1 FROM ${verificationRequests}
    WHERE id = ${id} AND ended_at IS NULL AND expires_at <= ${now.getTime()})`;
  const waiting = link.items.filter(({ state }) => state === "waiting");
  const log = appendEvents(
    db,
    waiting.map(({ kind, record, last }) => ({
      position: { kind: kind.name, id: record.id, userId: link.owner.id, last },
      event: { event: "withdrawn", cause: "expired", at: now, recordHash: recordHash(kind, record) },
    })),
    sql`WHERE ${isExpired} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE request_id = ${id} AND state = 'waiting'
      AND record_kind = json_each.value ->> 'recordKind' AND record_id = json_each.value ->> 'recordId')`,
  );
  await batch(db, { log, ended: endedItems(db, id, now) });
  return true;
}

function endedItems(db: Db, id: number, now: Date) {
  return db
    .update(verificationItems)
    .set({ state: "ended", cause: "expired", decidedAt: now })
    .where(
      sql`request_id = ${id} AND state = 'waiting' AND EXISTS (SELECT 1 FROM ${verificationRequests}
        WHERE id = ${id} AND expires_at <= ${now.getTime()})`,
    );
}

async function endItems(db: Db, id: number, now: Date): Promise<true> {
  await batch(db, {
    ended: endedItems(db, id, now),
    request: db
      .update(verificationRequests)
      .set({ endedAt: now })
      .where(sql`id = ${id} AND ended_at IS NULL AND expires_at <= ${now.getTime()}`),
  });
  return true;
}

/** Tells technicians, once for each renewal, which requests end within a week. */
export async function sweepExpiring(db: Db, now: Date, mail: RequestMail): Promise<void> {
  const warned = sql`SELECT 1 FROM ${outbox} AS told WHERE told.request_id = request.id AND told.kind = 'request_expiring'
    AND told.created_at >= request.asked_at`;
  await batch(db, {
    queued: queueMessage(
      { db, now, mail },
      {
        kind: "request_expiring",
        userId: sql`request.user_id`,
        requestId: sql`request.id`,
        from: sql`FROM ${verificationRequests} AS request
          WHERE ended_at IS NULL AND expires_at > ${now.getTime()} AND expires_at <= ${now.getTime() + WARNING_MS}
          AND NOT EXISTS (${warned})`,
        limit: sql`LIMIT ${AT_ONCE}`,
      },
    ),
  });
}
