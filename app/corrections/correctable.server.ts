import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { type LastEvent, lastEvent, retryOnConflict } from "#app/audit-log/log.server.ts";
import type { Kind, RecordWithToken } from "#app/records/kinds.ts";
import { findRecord, requireRecord } from "#app/records/queries.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";

/** One of the technician's own records, and the last line of its log, behind which a change may have to write. */
export interface Correctable {
  user: User;
  record: RecordWithToken;
  last: LastEvent | undefined;
}

/**
 * One of the technician's own records, of either state, read once for a request: after an action the page's loader shows
 * what the action has seen.
 * @throws {AppError} 404 where there is no such record, or it is somebody else's
 */
export const findCorrectable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> => {
    const { user, last, found } = await requireUser(context, (owner, db) => ({
      found: findRecord(db, owner, kind, id),
      last: lastEvent(db, kind.name, id),
    }));
    return { user, record: requireRecord(kind, found), last: last[0] };
  },
);

/**
 * Does `work`, which writes behind a record and its log as they were read, again with both read anew where somebody
 * else came in between (`retryOnConflict`): `work` returns null where its statement found the record changed.
 * @throws {AppError} 404 as `findCorrectable`, and whatever `work` throws
 */
export function withRecord<Result>(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  work: (correctable: Correctable) => Promise<Result | null>,
): Promise<Result> {
  let read: typeof findCorrectable.refresh = findCorrectable;
  return retryOnConflict(async () => {
    const correctable = await read(context, kind, id);
    read = findCorrectable.refresh;
    return work(correctable);
  });
}
