import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { changeOwn, type LastEvent, lastEvent } from "#app/audit-log/log.server.ts";
import type { Kind, RecordWithOwner } from "#app/records/kind.ts";
import { findDeleted, findRecord, requireRecord } from "#app/records/queries.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";

/** One of the technician's own records, with the last event of its log, which a new event must follow. */
interface Correctable {
  user: User;
  record: RecordWithOwner;
  last: LastEvent | undefined;
}

/**
 * One of the technician's own records, verified or not, read once per request.
 * @throws {AppError} 404 for an unknown record or another user's
 */
export const findCorrectable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> => {
    const { user, last, found, deleted } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      deleted: findDeleted(db, owner, kind, id, context.now),
      last: lastEvent(db, id),
    }));
    return { user, record: requireRecord(kind, found, deleted), last: last[0] };
  },
);

/**
 * Changes a record: runs `work` with the record and its last event. If another request changed them first, `work` returns
 * null and is retried with both read again (`changeOwn`).
 * @throws {AppError} 404 as `findCorrectable`, and what `work` throws
 */
export function changeRecord<Result>(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  work: (correctable: Correctable) => Promise<Result | null>,
): Promise<Result> {
  return changeOwn(context, async (attempt) =>
    work(await (attempt === 1 ? findCorrectable : findCorrectable.refresh)(context, kind, id)),
  );
}
