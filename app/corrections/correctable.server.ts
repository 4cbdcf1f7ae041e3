import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { type LastLine, lastLine, withLog } from "#app/audit-log/log.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { ownRecordOf, ownRecordWith, type RequestedRecord } from "#app/records/own-record.server.ts";
import { perRequest } from "#app/server/per-request.server.ts";

/** One of the technician's own records, and the last line of its log, behind which a change may have to write. */
export interface Correctable {
  user: User;
  record: RequestedRecord;
  last: LastLine | undefined;
}

/**
 * One of the technician's own records, of either state, read once for a request: after an action the page's loader shows
 * what the action has seen.
 * @throws {Refusal} 404 where there is no such record, or it is somebody else's
 */
export const findCorrectable = perRequest(
  async (context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> => {
    const { user, last, ...found } = await requireUser(context, (owner, db) => ({
      ...ownRecordWith(db, owner, kind, id),
      last: lastLine(db, kind, id),
    }));
    return { user, record: ownRecordOf(found, kind), last: last[0] };
  },
);

/**
 * Does `work`, which writes behind a record and its log as they were read, again with both read anew where somebody
 * else came in between (`withLog`): `work` returns null where its statement found the record changed.
 * @throws {Refusal} 404 as `findCorrectable`, and whatever `work` throws
 */
export function withRecord<Result>(
  context: AppLoadContext,
  kind: Kind,
  id: number,
  work: (correctable: Correctable) => Promise<Result | null>,
): Promise<Result> {
  let read: typeof findCorrectable.anew = findCorrectable;
  return withLog(async () => {
    const correctable = await read(context, kind, id);
    read = findCorrectable.anew;
    return work(correctable);
  });
}
