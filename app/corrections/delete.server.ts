import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { deletedRecords } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import type { AnyRecord, Kind } from "#app/records/kinds.ts";
import { contentColumns, isUnchanged, markColumns, selectRecords } from "#app/records/queries.server.ts";
import { endRequest } from "#app/verification/requests/end-request.server.ts";
import { changeRecord } from "./correctable.server.ts";

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_DELETION_MS = 24 * 60 * 60 * 1000;

/** The last columns of every kind, after the columns of the verification, which a deleted record does not have. */
const COMMON = ["search", "submission", "created_at"];

/**
 * Deletes one of the technician's own unverified records and ends its link. A copy is stored for as long as the deletion
 * can be undone.
 * @throws {AppError} 404 for a record that is not the technician's, 409 for a verified one
 */
export async function deleteRecord(context: AppLoadContext, kind: Kind, id: number): Promise<void> {
  const { db, now } = context;
  await changeRecord(context, kind, id, async ({ record, last }) => {
    if (record.verified) throw new AppError(409, kind.texts.alreadyVerified);
    const columns = [...contentColumns(kind), ...markColumns(kind), ...COMMON];
    const content = sql.raw(columns.map((column) => `'${column}', ${column}`).join(", "));
    const { deleted } = await batch(db, {
      ...endRequest(context, kind, record, last, "deleted"),
      copied: db.insert(deletedRecords).select(
        sql`SELECT NULL, ${kind.name}, id, user_id, json_object(${content}), ${now.getTime()}
            FROM ${kind.table} WHERE ${isUnchanged(kind, record)}`,
      ),
      deleted: db.delete(kind.table).where(isUnchanged(kind, record)).returning({ id: kind.table.id }),
    });
    return deleted.length > 0 || null;
  });
}

/** The query for a user's deleted record, if it can still be restored. */
export function findDeleted(db: Db, owner: Owner, kind: Kind, id: number, now: Date) {
  return db
    .select({ id: deletedRecords.recordId })
    .from(deletedRecords)
    .where(restorable(owner, kind, id, now));
}

/**
 * Restores a deleted record, unverified and without a link. A record that exists already is returned as it is, so that
 * the same request can be sent twice.
 * @throws {AppError} 404 if no record of the user was deleted under this id, or too long ago
 */
export async function restoreRecord(context: AppLoadContext, kind: Kind, id: number): Promise<AnyRecord> {
  const { db, now } = context;
  const { user } = await requireUser(context);
  const isRestorable = restorable(user.id, kind, id, now);
  const values = (columns: string[]) => sql.raw(columns.map((column) => `content ->> '${column}'`).join(", "));
  // A copy from before migration 0017 has no marks.
  const marks = sql.raw(
    markColumns(kind)
      .map((column) => `, coalesce(content ->> '${column}', 0)`)
      .join(""),
  );
  const mine = sql`id = ${id} AND user_id = ${user.id}`;
  const { found } = await batch(db, {
    restored: db.insert(kind.table).select(
      sql`SELECT record_id, user_id, ${values(contentColumns(kind))}, 0, NULL, NULL, NULL, ${values(COMMON)}, NULL, NULL, NULL${marks}
          FROM ${deletedRecords} WHERE ${isRestorable}`,
    ),
    removed: db.delete(deletedRecords).where(isRestorable),
    found: selectRecords(db, kind, { where: mine }),
  });
  const [record] = found;
  if (!record) throw new AppError(404, "There is nothing to restore: a deletion can be undone for 24 hours.");
  return record;
}

function restorable(owner: Owner, kind: Kind, id: number, now: Date): SQL {
  return sql`record_kind = ${kind.name} AND record_id = ${id} AND user_id = ${owner}
    AND deleted_at > ${now.getTime() - UNDO_DELETION_MS}`;
}
