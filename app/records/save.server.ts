import { batch, type Db, type Queries } from "#app/db/client.server.ts";
import { isDeletedSubmission, SubmissionDeletedError } from "#app/db/submission.server.ts";
import type { AnyRecord, Kind } from "./kind.ts";
import { insertRecords } from "./queries.server.ts";

/**
 * Saves new records of a kind, all or none, in one round trip. `submission` names the form or the call that sent them
 * (`submissionOf`): sent again, it answers what was saved the first time. `more` is queries that run in the same batch
 * behind the insertion. Returns the records in the order in which they were sent.
 * @throws {SubmissionDeletedError} 409 where the technician has deleted the records since, and can still undo that
 */
export async function saveRecords<Row extends AnyRecord, Values extends object, More extends Queries>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now }: { submission: string | null; now: Date },
  more: More,
) {
  const unless = isDeletedSubmission(userId, kind.name, submission);
  const insertion = insertRecords(db, userId, kind, list, { submission, now, unless });
  const rows = await batch(db, { insertion, more });
  const { inserted, stored } = rows.insertion;
  if (submission && stored.length === 0) throw new SubmissionDeletedError();
  return { saved: submission ? stored : inserted.sort((one: Row, other: Row) => one.id - other.id), more: rows.more };
}
