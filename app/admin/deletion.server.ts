import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { lastEvent } from "#app/audit-log/log.server.ts";
import { NOTHING_TO_RESTORE } from "#app/corrections/correct.server.ts";
import { commit, raiseRevisions, retryOnConflict } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { Kind, RecordWithOwner } from "#app/records/kind.ts";
import { HASHED_WITH, IS_LIVE, isRestorableByAdmin, type RowQuery } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";
import { findOwnedRecord, ifAdmin, type OwnedRecord } from "./lists.server.ts";
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
 * Deletes a record, verified or not, and ends its requests. Its row stays for as long as the deletion can be undone
 * (`restoreRecordAsAdmin`); its owner sees it no longer.
 * @throws as `requireAdmin`; {AppError} 404 if there is no such record
 */
export function deleteRecordAsAdmin(context: AppLoadContext, kind: Kind, id: number): Promise<void> {
  const { db, now } = context;
  return retryOnConflict(context, "admin_delete_record", async () => {
    const { account, found, last } = await requireAdmin(context, (viewer, db) => ({
      found: findOwnedRecord(db, viewer, kind, id, HASHED_WITH) as RowQuery<OwnedRecord & RecordWithOwner>,
      last: lastEvent(db, ifAdmin(viewer, id)),
    }));
    const [record] = found;
    if (!record) throw new AppError("not_found", kind.adminTexts.missing);
    const waiting = record.status === "requested" ? [{ kind, record, last: last[0] }] : [];
    const { deleted } = await commit(db, [account], {
      owner: raiseRevisions(db, sql`${record.userId}`),
      ended: endWaiting({ db, now }, { recordId: id }, waiting, "deleted_by_admin"),
      deleted: db
        .update(records)
        .set({ deletedAt: now, deletedByAdmin: true })
        .where(sql`id = ${id} AND ${IS_LIVE}`)
        .returning({ id: records.id }),
    });
    if (deleted.length === 0) throw new AppError("not_found", kind.adminTexts.missing);
    securityEvent(context, "record_deleted_by_admin", { kind: kind.name, record: id });
  });
}

/**
 * Restores a record that was deleted within 24 hours, by an admin or by its owner, as it was: a verified one is verified. Its
 * requests have ended. One that exists is left as it is, so that the same request can be sent twice.
 * @throws as `requireAdmin`; {AppError} 404 if there is nothing to restore
 */
export function restoreRecordAsAdmin(context: AppLoadContext, kind: Kind, id: number): Promise<void> {
  const { db, now } = context;
  return retryOnConflict(context, "admin_restore_record", async () => {
    const { account } = await requireAdmin(context);
    const which = sql`id = ${id} AND kind = ${kind.name}`;
    const { restored, live } = await commit(db, [account], {
      owner: raiseRevisions(db, sql`SELECT user_id FROM ${records} WHERE ${which}`),
      restored: db
        .update(records)
        .set({ deletedAt: null, deletedByAdmin: false })
        .where(sql`${which} AND ${isRestorableByAdmin(now)}`)
        .returning({ id: records.id }),
      live: db.select({ id: records.id }).from(records).where(sql`${which} AND ${IS_LIVE}`),
    });
    if (live.length === 0) throw new AppError("not_found", NOTHING_TO_RESTORE);
    if (restored.length > 0) securityEvent(context, "record_restored_by_admin", { kind: kind.name, record: id });
  });
}
