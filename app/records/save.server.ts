import { batch, type Db, type Queries } from "#app/db/client.server.ts";
import { SubmissionDeletedError } from "#app/db/submission.server.ts";
import type { AnyRecord, Kind } from "./kind.ts";
import { findTwins, hasRoomFor, insertRecords, RecordsFullError } from "./queries.server.ts";

/**
 * Saves new records of a kind, all or none, in one round trip, and returns them in the order in which they were sent.
 * `submission` identifies the form or API call (`submissionOf`): sent again, it returns the records of the first time.
 * `more` are queries that run in the same batch after the insert. `twins` are the records that they are the same as.
 * @throws {SubmissionDeletedError} 409 if the user has deleted the records since and can still undo that
 * @throws {RecordsFullError} 409 if they are more than an account holds
 */
export async function saveRecords<Row extends AnyRecord, Values extends object, More extends Queries>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now }: { submission: string | null; now: Date },
  more: More,
) {
  const where = hasRoomFor(userId, kind, list.length);
  const insertion = insertRecords(db, userId, kind, list, { submission, now, where });
  const rows = await batch(db, { insertion, twins: findTwins(db, userId, kind, list), more });
  const { inserted, stored, known } = rows.insertion;
  if (submission && known.length > 0 && stored.length === 0) throw new SubmissionDeletedError();
  if (inserted.length === 0 && known.length === 0) throw new RecordsFullError(kind);
  const saved = submission ? stored : inserted.sort((one: Row, other: Row) => one.id - other.id);
  return { saved, twins: rows.twins, more: rows.more };
}
