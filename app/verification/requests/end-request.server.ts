import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { appendEvent, appendEvents, type LastEvent, timeAfter } from "#app/audit-log/log.server.ts";
import type { Db } from "#app/db/client.server.ts";
import type { LogCause } from "#app/db/enumerations.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { areUnchanged, existsRecord, isUnchanged, type KindAndRecord } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { requestsOfRecord } from "#app/verification/request-events.server.ts";
import { type RequestRow, verificationItems, verificationRequests } from "#app/verification/requests.table.ts";

/**
 * The statements that end a record's waiting items: an event in its log if there are any, the items, and the unsent emails
 * of requests in which nothing waits any more. `which` selects items further: withdrawing ends one request's item, editing
 * and deleting all. They do nothing if the record has changed (`isUnchanged`), and come before the statement that changes
 * it, in one batch inside `retryOnConflict`. `last` is the last event of the log, read with the record.
 */
export function endRequest(
  { db, now, client }: Pick<AppLoadContext, "db" | "now" | "client">,
  kind: Kind,
  record: RecordWithToken,
  last: LastEvent | undefined,
  cause: LogCause,
  which: SQL = sql`true`,
) {
  const { id, userId } = record;
  const at = timeAfter(now, [last]);
  const isCurrent = existsRecord(isUnchanged(kind, record));
  const isOfRecord = sql`record_id = ${id}`;
  const isWaiting = sql`${isOfRecord} AND state = 'waiting' AND ${which}`;
  return {
    event: appendEvent(
      db,
      { id, userId, last },
      { event: "withdrawn", at, client, cause, recordHash: recordHash(kind, record) },
      sql`WHERE ${isCurrent} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE ${isWaiting})`,
    ),
    edited: db
      .update(verificationItems)
      .set({ edited: true })
      .where(sql`${isOfRecord} AND edited = 0 AND ${cause} = 'edited' AND ${isCurrent}`),
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause, decidedAt: at })
      .where(sql`${isWaiting} AND ${isCurrent}`)
      .returning({ id: verificationItems.recordId }),
    // Also a message that is being sent: if it arrives, its link has ended, and a new request sends another email.
    cancelled: cancelMessages(
      { db, now },
      sql`user_id = ${userId} AND request_id IN (${requestsOfRecord(id)})
      AND EXISTS (SELECT 1 FROM ${verificationRequests} AS request
        WHERE request.id = request_id AND request.ended_at IS NOT NULL)`,
    ),
  };
}

/**
 * The statements that end what waits in one request: an event in the log of each record, the items, and the unsent emails.
 * They do nothing if one of the records has changed since it was read, and belong inside `retryOnConflict`.
 */
export function endWaiting(
  { db, now, client }: Pick<AppLoadContext, "db" | "now" | "client">,
  { id, userId }: Pick<RequestRow, "id" | "userId">,
  waiting: (KindAndRecord & { last: LastEvent | undefined })[],
  cause: LogCause,
) {
  const at = timeAfter(
    now,
    waiting.map(({ last }) => last),
  );
  const guard = areUnchanged(waiting);
  const isWaiting = sql`request_id = ${id} AND state = 'waiting'`;
  return {
    log: appendEvents(
      db,
      waiting.map(({ kind, record, last }) => ({
        position: { id: record.id, userId, last },
        event: { event: "withdrawn", at, client, cause, recordHash: recordHash(kind, record) },
      })),
      sql`WHERE ${guard} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE ${isWaiting}
        AND record_id = json_each.value ->> 'recordId')`,
    ),
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause, decidedAt: at })
      .where(sql`${isWaiting} AND ${guard}`)
      .returning({ id: verificationItems.recordId }),
    cancelled: cancelMessages({ db, now }, sql`user_id = ${userId} AND request_id = ${id}`),
  };
}

/**
 * The statement that ends the waiting items of a record, before a statement of the same batch that deletes its row. (The
 * items then vanish, but a request ends only when the state of an item changes.) `id` may be an expression.
 */
export function endItemsOfDeleted(db: Db, id: number | SQL<number>, now: Date) {
  return db
    .update(verificationItems)
    .set({ state: "ended", cause: "deleted", decidedAt: now })
    .where(sql`record_id = ${id} AND state = 'waiting'`);
}
