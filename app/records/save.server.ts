import { sql } from "drizzle-orm";
import { batch, type Db, type Owner, type Queries } from "#app/db/client.server.ts";
import { SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import type { AnyRecord, Kind, ShownRecord } from "./kind.ts";
import { hasRoomFor, identityOf, insertRecords, isOwn, newRow, RecordsFullError } from "./queries.server.ts";
import { records } from "./records.table.ts";

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

/**
 * Saves one new record, in one round trip. `key` identifies the submission (product "Settled").
 * @throws as `saveRecords`
 */
export async function saveRecord<Row extends AnyRecord, Values extends object>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  values: Values,
  key: string | null,
  now: Date,
): Promise<{ record: Row; twins: Twin[] }> {
  const submission = submissionOf(key, values);
  const { saved, twins } = await saveRecords(db, userId, kind, [values], { submission, now }, {});
  const [record] = saved;
  if (!record) throw new Error("the record was not saved");
  return { record, twins };
}

/** How many records each warning about a save names: the warnings are stored in a cookie. */
export const WARNED_MAX = 3;

/** The query for the oldest of the records that an owner's log has several times, of those in `list` (`Kind.identity`). */
function findTwins<Values extends object>(db: Db, owner: Owner, kind: Kind<ShownRecord, Values>, list: Values[]) {
  const rows = list.map((values) => newRow(kind, values));
  const identity = identityOf(kind);
  const dates = JSON.stringify([...new Set(rows.map(({ date }) => date))]);
  const columns = sql.raw(identity.columns.join(", "));
  const sent = sql.raw(identity.columns.map((_, index) => `value ->> ${index}`).join(", "));
  return db
    .select({ id: sql<number>`min(id)`.as("id"), date: records.date })
    .from(records)
    .where(
      // Compared as JSON, in which NULL equals NULL.
      sql`${isOwn(owner, kind)} AND date IN (SELECT value FROM json_each(${dates}))
        AND json_array(${columns}) IN (SELECT json_array(${sent}) FROM json_each(${JSON.stringify(rows.map(identity.valuesOf))}))`,
    )
    .groupBy(columns)
    .having(sql`count(*) > 1`)
    .orderBy(records.date)
    .limit(WARNED_MAX);
}

export type Twin = Awaited<ReturnType<typeof findTwins>>[number];
