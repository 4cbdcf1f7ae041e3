import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { findEntry } from "#app/hours/entries.server.ts";
import { findRopeHours } from "#app/hours/rope-hours.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { type Kind, SCREENS } from "#app/verification/kind.ts";
import { type LastLine, lastLine, withLog } from "#app/verification/log.server.ts";
import type { RequestedRecord } from "#app/verification/request.server.ts";

/** One of the technician's own records, and the last line of its log, behind which a change may have to write. */
export interface Correctable {
  user: User;
  record: RequestedRecord;
  last: LastLine | undefined;
}

/** What was read last, per request: after an action the page's loader shows what the action has seen. */
const found = new WeakMap<AppLoadContext, Promise<Correctable>>();

/**
 * One of the technician's own records, of either state, read once for a request.
 * @throws {Refusal} 404 where there is no such record, or it is somebody else's
 */
export function findCorrectable(context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> {
  return found.get(context) ?? readCorrectable(context, kind, id);
}

/** The same, read anew: for a change that came too late. */
function readCorrectable(context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> {
  const result = read(context, kind, id);
  found.set(context, result);
  return result;
}

async function read(context: AppLoadContext, kind: Kind, id: number): Promise<Correctable> {
  const { user, entry, ropeHours, lines } = await requireUser(context, (owner, db) => ({
    // One of the two looks for the id that nothing has: the batch then has one shape for both kinds.
    entry: findEntry(db, owner, kind === "entry" ? id : 0),
    ropeHours: findRopeHours(db, owner, kind === "rope_hour" ? id : 0),
    lines: lastLine(db, kind, id),
  }));
  const record = entry[0] ?? ropeHours[0];
  if (!record) throw new Refusal(404, SCREENS[kind].missing);
  return { user, record, last: lines[0] };
}

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
  let read = findCorrectable;
  return withLog(async () => {
    const correctable = await read(context, kind, id);
    read = readCorrectable;
    return work(correctable);
  });
}
