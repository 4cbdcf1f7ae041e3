import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { changeOwn } from "#app/audit-log/log.server.ts";
import { batch } from "#app/db/client.server.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { itemsFromRows, requestQueries } from "#app/verification/link.server.ts";
import { verificationRequests } from "#app/verification/requests.table.ts";
import { endWaiting } from "./end-request.server.ts";
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
  const { db } = context;
  return changeOwn(context, async () => {
    const { user, before, ...rows } = await requireUser(context, (owner, db) => ({
      ...requestQueries(db, sql`id = ${id} AND user_id = ${owner}`),
      before: ownRequestsQueries(db, owner, sql`id = ${id}`),
    }));
    const found = requireRequest(ownRequestsFromRows(before));
    if (found.request.endedAt) return found;
    const waiting = itemsFromRows(rows, context.now).filter(({ state }) => state === "waiting");
    const { ended, stored } = await batch(db, {
      ...endWaiting(context, found.request, waiting, "withdrawn"),
      stored: ownRequestsQueries(db, user.id, sql`id = ${id}`),
    });
    if (ended.length === 0) return null; // its records have changed since they were read
    securityEvent(context, "verification_withdrawn", { request: id, records: ended.length });
    return requireRequest(ownRequestsFromRows(stored));
  });
}
