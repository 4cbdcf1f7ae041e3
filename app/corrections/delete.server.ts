import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { batch } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind } from "#app/records/kind.ts";
import { isOwn, isRestorable, selectRecords } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { isUnchanged } from "#app/records/save.server.ts";
import { endWaiting } from "#app/verification/requests/end-request.server.ts";
import { changeRecord } from "./correctable.server.ts";

/**
 * Deletes one of the technician's own unverified records and ends its link. Its row stays for as long as the deletion can
 * be undone.
 * @throws {AppError} 404 for a record that is not the technician's, 409 for a verified one
 */
export async function deleteRecord(context: AppLoadContext, kind: Kind, id: number): Promise<void> {
  const { db, now } = context;
  await changeRecord(context, kind, id, async ({ record, last }) => {
    if (record.verified) throw new AppError("already_verified", kind.texts.alreadyVerified);
    const { deleted } = await batch(db, {
      ...endWaiting(context, { recordId: id }, [{ kind, record, last }], "deleted"),
      deleted: db
        .update(records)
        .set({ deletedAt: now, requestedAt: null, declinedAt: null })
        .where(isUnchanged(kind, record))
        .returning({ id: records.id }),
    });
    return deleted.length > 0 || null;
  });
}

/**
 * Restores a deleted record, unverified and without a link. A record that exists already is returned as it is, so that
 * the same request can be sent twice.
 * @throws {AppError} 404 if no record of the user was deleted under this id, or too long ago
 */
export async function restoreRecord(context: AppLoadContext, kind: Kind, id: number): Promise<AnyRecord> {
  const { db, now } = context;
  const { user } = await requireUser(context);
  const { found } = await batch(db, {
    restored: db
      .update(records)
      .set({ deletedAt: null })
      .where(sql`id = ${id} AND ${isOwn(user.id, kind, isRestorable(now))}`),
    found: selectRecords(db, kind, { where: sql`id = ${id} AND user_id = ${user.id}` }),
  });
  const [record] = found;
  if (!record) throw new AppError("not_found", "There is nothing to restore: a deletion can be undone for 24 hours.");
  return record;
}
