import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { appendEvent, appendEvents, type LastEvent } from "#app/audit-log/log.server.ts";
import type { Db } from "#app/db/client.server.ts";
import type { LogCause } from "#app/db/enumerations.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { existsRecord, isUnchanged } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { areUnchanged } from "#app/records/unchanged.server.ts";
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
  const isCurrent = existsRecord(kind, isUnchanged(kind, record));
  const isOfRecord = sql`record_kind = ${kind.name} AND record_id = ${id}`;
  const isWaiting = sql`${isOfRecord} AND state = 'waiting' AND ${which}`;
  return {
    event: appendEvent(
      db,
      { kind: kind.name, id, userId, last },
      { event: "withdrawn", at: now, client, cause, recordHash: recordHash(kind, record) },
      sql`WHERE ${isCurrent} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE ${isWaiting})`,
    ),
    edited: db
      .update(verificationItems)
      .set({ edited: true })
      .where(sql`${isOfRecord} AND edited = 0 AND ${cause} = 'edited' AND ${isCurrent}`),
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause, decidedAt: now })
      .where(sql`${isWaiting} AND ${isCurrent}`)
      .returning({ id: verificationItems.recordId }),
    // Also a message that is being sent: if it arrives, its link has ended, and a new request sends another email.
    cancelled: cancelMessages(
      { db, now },
      sql`user_id = ${userId} AND request_id IN (${requestsOfRecord(kind.name, id)})
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
  waiting: { kind: Kind; record: RecordWithToken; last: LastEvent | undefined }[],
  cause: LogCause,
) {
  const guard = sql.join([sql`true`, ...areUnchanged(waiting)], sql` AND `);
  const isWaiting = sql`request_id = ${id} AND state = 'waiting'`;
  return {
    log: appendEvents(
      db,
      waiting.map(({ kind, record, last }) => ({
        position: { kind: kind.name, id: record.id, userId, last },
        event: { event: "withdrawn", at: now, client, cause, recordHash: recordHash(kind, record) },
      })),
      sql`WHERE ${guard} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE ${isWaiting}
        AND record_kind = json_each.value ->> 'recordKind' AND record_id = json_each.value ->> 'recordId')`,
    ),
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause, decidedAt: now })
      .where(sql`${isWaiting} AND ${guard}`)
      .returning({ id: verificationItems.recordId }),
    cancelled: cancelMessages({ db, now }, sql`user_id = ${userId} AND request_id = ${id}`),
  };
}

/** The statement that ends the waiting items of a record that an earlier statement of the batch has deleted. */
export function endItemsOfDeleted(db: Db, kind: Kind, id: number, now: Date) {
  return db
    .update(verificationItems)
    .set({ state: "ended", cause: "deleted", decidedAt: now })
    .where(
      sql`record_kind = ${kind.name} AND record_id = ${id} AND state = 'waiting'
        AND NOT ${existsRecord(kind, sql`id = ${id}`)}`,
    );
}
