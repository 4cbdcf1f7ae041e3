import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { commit, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { Kind } from "#app/records/kind.ts";
import { IS_LIVE } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { endItemsOfDeleted } from "#app/verification/requests/end-request.server.ts";
import { tabNamed } from "./view.tsx";

/**
 * Deletes a user and all their data in one transaction (foreign keys cascade). At least one admin always remains: if two
 * admins delete each other at once, one of them is no longer there when the other's turn comes.
 * @throws as `requireAdmin`; {AppError} 404 if the user does not exist, 409 for the viewer's own account
 */
export function deleteUser(context: AppLoadContext, id: number): Promise<void> {
  const { db } = context;
  return retryOnConflict(context, "admin_delete_user", async () => {
    const { account } = await requireAdmin(context);
    if (id === account.id) throw new AppError("last_admin", "You can't delete your own account. Another admin can.");
    const { deleted } = await commit(db, [account], {
      deleted: db.delete(users).where(eq(users.id, id)).returning({ id: users.id }),
    });
    if (deleted.length === 0) throw new AppError("not_found", tabNamed("users").texts.missing);
    securityEvent(context, "user_deleted_by_admin", { account: id });
  });
}

/**
 * Deletes a record, verified or not, and ends its requests.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such record
 */
export function deleteRecordAsAdmin(context: AppLoadContext, kind: Kind, id: number): Promise<void> {
  const { db, now } = context;
  const which = sql`id = ${id} AND kind = ${kind.name} AND ${IS_LIVE}`;
  return retryOnConflict(context, "admin_delete_record", async () => {
    const { account } = await requireAdmin(context);
    const { deleted } = await commit(db, [account], {
      owner: raiseRevisions(db, sql`SELECT user_id FROM ${records} WHERE ${which}`),
      ended: endItemsOfDeleted(db, sql<number>`(SELECT id FROM ${records} WHERE ${which})`, now),
      deleted: db.delete(records).where(which).returning({ id: records.id }),
    });
    if (deleted.length === 0) throw new AppError("not_found", kind.adminTexts.missing);
    securityEvent(context, "record_deleted_by_admin", { kind: kind.name, record: id });
  });
}
