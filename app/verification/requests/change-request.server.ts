import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { appendEvents, retryOnConflict } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { areUnchanged } from "#app/records/unchanged.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { requestQueries } from "#app/verification/link.server.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import {
  findOwnRequest,
  type OwnRequest,
  ownRequestsFromRows,
  ownRequestsQueries,
  requireRequest,
} from "./own-requests.server.ts";

/**
 * Turns the reminders of one of the user's requests on or off.
 * @throws {AppError} 404 for an unknown request or another user's; first of all what `choose` throws, after the 404
 */
export async function setReminders(
  context: AppLoadContext,
  id: number,
  choose: () => Promise<boolean>,
): Promise<OwnRequest> {
  const { user } = await findOwnRequest(context, id);
  const reminders = await choose();
  const { stored } = await batch(context.db, {
    changed: context.db.update(verificationRequests).set({ reminders }).where(sql`id = ${id} AND user_id = ${user.id}`),
    stored: ownRequestsQueries(context.db, user.id, sql`id = ${id}`),
  });
  return requireRequest(ownRequestsFromRows(stored));
}

/**
 * Withdraws one of the user's requests: what waits in it ends, with an event in the log of each record, its link ends, and
 * its unsent emails are cancelled. What was decided stays. Withdrawing an ended request changes nothing.
 * @throws {AppError} 404 for an unknown request or another user's
 */
export async function withdrawOwnRequest(context: AppLoadContext, id: number): Promise<OwnRequest> {
  const { db, now, client } = context;
  return retryOnConflict(async () => {
    const { user, before, ...rows } = await requireUser(context, (owner, db) => ({
      ...requestQueries(db, sql`id = ${id} AND user_id = ${owner}`),
      before: ownRequestsQueries(db, owner, sql`id = ${id}`),
    }));
    const found = requireRequest(ownRequestsFromRows(before));
    if (found.request.endedAt) return found;
    const waiting = rows.items.flatMap(({ recordKind, recordId, state }) => {
      const record = rows.records[recordKind]?.find((one) => one.id === recordId);
      const last = rows.lastEvents[recordKind]?.find((event) => event.recordId === recordId);
      return record && state === "waiting" ? [{ kind: kindNamed(recordKind), record, last }] : [];
    });
    const guard = sql.join([sql`true`, ...areUnchanged(waiting)], sql` AND `);
    const isWaiting = sql`request_id = ${id} AND state = 'waiting'`;
    const { ended, stored } = await batch(db, {
      log: appendEvents(
        db,
        waiting.map(({ kind, record, last }) => ({
          position: { kind: kind.name, id: record.id, userId: user.id, last },
          event: { event: "withdrawn", at: now, client, cause: "withdrawn", recordHash: recordHash(kind, record) },
        })),
        sql`WHERE ${guard} AND EXISTS (SELECT 1 FROM ${verificationItems} WHERE ${isWaiting}
          AND record_kind = json_each.value ->> 'recordKind' AND record_id = json_each.value ->> 'recordId')`,
      ),
      ended: db
        .update(verificationItems)
        .set({ state: "ended", cause: "withdrawn", decidedAt: now })
        .where(sql`${isWaiting} AND ${guard}`)
        .returning({ id: verificationItems.recordId }),
      cancelled: cancelMessages({ db, now }, sql`user_id = ${user.id} AND request_id = ${id}`),
      stored: ownRequestsQueries(db, user.id, sql`id = ${id}`),
    });
    if (ended.length === 0) return null; // its records have changed since they were read
    securityEvent(context, "verification_withdrawn", { request: id, records: ended.length });
    return requireRequest(ownRequestsFromRows(stored));
  });
}
