import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { appendEvents, lastEvents, timeAfter } from "#app/audit-log/log.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { commit, retryOnConflict, withoutLimit } from "#app/db/commit.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { storing } from "#app/db/stored-bytes.server.ts";
import { isOfImport } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { cancelMessages } from "#app/mail/outbox.server.ts";
import { recordFromRow, selectAnyRecords } from "#app/records/any-record.server.ts";
import { IS_LIVE } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { records } from "#app/records/records.table.ts";
import { counted } from "#app/ui/counted.ts";
import { verificationItems, verificationRequests } from "#app/verification/requests.table.ts";
import { findImport, importBytes, imports } from "./stored-import.server.ts";

/** How many records an undone import removed, and how many stay because they are verified. */
interface Undone {
  removed: number;
  kept: number;
}

/** Counts an import's unverified records that were edited since. An edit that ended a request is in its event. */
export function editedRecords(db: Db, owner: Owner, id: number) {
  const isEdited = sql`EXISTS (SELECT 1 FROM ${verificationLog} WHERE record_id = records.id
    AND (event = 'edited' OR (event = 'withdrawn' AND cause = 'edited')))`;
  return db
    .select({ count: sql<number>`count(*)`.as("edited_count") })
    .from(records)
    .where(sql`user_id = ${owner} AND ${isOfImport(id)} AND ${IS_LIVE} AND verified = 0 AND ${isEdited}`);
}

function editedText(count: number): string {
  return `${counted(count, "record")} of this import ${count === 1 ? "was" : "were"} edited since. Nothing was deleted. Confirm that these edits may be lost, too.`;
}

/** The events of one statement. */
const AT_ONCE = 200;

/**
 * Deletes an import: its upload, and the records that it created and that are unverified. Their open requests end as
 * when a record is deleted, but count for no quota: each ends one that was counted, and an import can have more of them
 * than a day has. Edited records are deleted only with `deletesEdited`: they hold work that the file has not.
 * @throws {AppError} 404 for an import that is not the user's, 409 with their number if records were edited since
 */
export async function undoImport(context: AppLoadContext, id: number, deletesEdited: boolean): Promise<Undone> {
  const { db, now, client } = context;
  return retryOnConflict(context, "undo_import", async () => {
    const { account, found, edited, requested, last } = await requireUser(context, (owner, db) => ({
      found: findImport(db, owner, id),
      edited: editedRecords(db, owner, id),
      ...requestedOf(db, owner, id),
    }));
    const [row] = found;
    if (!row) throw new AppError("not_found", "There is no such import, or it was undone already.");
    const count = edited[0]?.count ?? 0;
    if (count > 0 && !deletesEdited) throw new AppError("records_edited", editedText(count));
    const waiting = requested.map((one) => recordFromRow(one));
    const ids = requested.map((one) => one.id);
    const lastOf = new Map(last.map((event) => [event.recordId, event]));
    const at = timeAfter(now, last);
    const isOfThis = sql`user_id = ${account.id} AND ${isOfImport(id)} AND ${IS_LIVE}`;
    const { left, deleted } = await commit(db, [withoutLimit(account)], {
      log: Object.fromEntries(
        inGroups(waiting).map((group, index) => [
          `part${index}`,
          appendEvents(
            db,
            group.map(({ kind, record }) => ({
              position: { id: record.id, userId: account.id, last: lastOf.get(record.id) },
              event: { event: "withdrawn", at, client, cause: "deleted", recordHash: recordHash(kind, record) },
            })),
            sql``,
            { isCounted: false },
          ),
        ]),
      ),
      ...endItems(context, account.id, { ids, at }),
      deleted: db
        .update(records)
        .set({ deletedAt: now, declinedAt: null })
        .where(sql`${isOfThis} AND verified = 0`)
        .returning({ id: records.id }),
      left: db
        .select({ kept: sql<number>`count(*)`.as("kept") })
        .from(records)
        .where(isOfThis),
      undone: storing(db.delete(imports).where(eq(imports.id, id)), account.id, -importBytes(row)),
    });
    return { removed: deleted.length, kept: left[0]?.kept ?? 0 };
  });
}

/** Returns the records of an import with an open request, with the last events of their logs. */
function requestedOf(db: Db, owner: Owner, id: number) {
  const where = sql`user_id = ${owner} AND ${isOfImport(id)} AND requested_at IS NOT NULL`;
  return {
    requested: selectAnyRecords(db, where),
    last: lastEvents(db, sql`(SELECT id FROM ${records} WHERE ${where})`),
  };
}

function endItems({ db, now }: AppLoadContext, userId: number, { ids, at }: { ids: number[]; at: Date }) {
  const isOfRecords = sql`record_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return {
    ended: db
      .update(verificationItems)
      .set({ state: "ended", cause: "deleted", decidedAt: at })
      .where(sql`${isOfRecords} AND state = 'waiting'`),
    cancelled: cancelMessages(
      { db, now },
      sql`user_id = ${userId} AND request_id IN (SELECT request_id FROM ${verificationItems} WHERE ${isOfRecords})
        AND EXISTS (SELECT 1 FROM ${verificationRequests} AS request
          WHERE request.id = request_id AND request.ended_at IS NOT NULL)`,
    ),
  };
}

function inGroups<Item>(list: Item[]): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0; start < list.length; start += AT_ONCE) groups.push(list.slice(start, start + AT_ONCE));
  return groups;
}
