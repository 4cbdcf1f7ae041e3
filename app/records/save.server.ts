import { asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { batch, type Db, type Queries } from "#app/db/client.server.ts";
import { SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { CONTENT_COLUMNS, type NewRow } from "./content.server.ts";
import type { AnyRecord, Kind, Stored } from "./kind.ts";
import { columnsOf, type RowQuery, selectRecords } from "./queries.server.ts";
import { type RecordRow, records } from "./records.table.ts";
import { findTwins, type Twin } from "./same-record.server.ts";
import { detailFromCertificate, filledColumns, loggedRow } from "./worked-as.server.ts";

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

interface Insertion {
  submission: string | null;
  now: Date;
  /** Which values are saved: a condition of `json_each.value`, or of none at all. */
  where?: SQL;
}

/**
 * The statement that saves new records, all or none. It saves nothing if the same submission was saved before, also if
 * its records were deleted since.
 */
export function insertStatement(
  db: Db,
  userId: number,
  kind: Kind,
  rows: readonly NewRow[],
  { submission, now, where = sql`1` }: Insertion,
) {
  const detail = detailFromCertificate(kind);
  const content = [
    ...CONTENT_COLUMNS.map(([stored, { name }]): [Stored, SQL] => [stored, sql.raw(`value ->> '${name}'`)]),
    ...(detail ? filledColumns(userId, detail) : []),
  ];
  const given: { [column: string]: SQL } = {
    userId: sql`${userId}`,
    kind: sql`${kind.name}`,
    ...Object.fromEntries(content),
    verified: sql`0`,
    search: sql`value ->> 'search'`,
    submission: sql`${submission}`,
    createdAt: sql`${now.getTime()}`,
  } satisfies { [column in keyof RecordRow]?: SQL };
  // Drizzle names all columns of the table in their order.
  const columns = Object.keys(getTableColumns(records)).map((column) => given[column] ?? sql`NULL`);
  // One statement for any number of rows, because D1 allows 100 bound values.
  return db.insert(records).select(
    sql`SELECT ${sql.join(columns, sql`, `)} FROM json_each(${JSON.stringify(rows)})
        WHERE NOT EXISTS (SELECT 1 FROM ${records} WHERE ${isOfSubmission(userId, submission)}) AND ${where}`,
  );
}

function isOfSubmission(userId: number, submission: string | null): SQL {
  return sql`user_id = ${userId} AND submission = ${submission ?? ""}`;
}

/** The most records of each kind of an account. A deleted one counts until it is swept, so it can always be restored. */
const ACCOUNT_RECORDS_MAX = 20_000;

/**
 * The condition that `count` more records of a kind are not more than an account holds, apart from those of an import that the
 * same batch saves in several statements. It is counted in an index: as many rows as there are, and the rows that a count in
 * a table of its own would write for each record cost more (docs/decisions/0075-quotas.md).
 */
export function hasRoomFor(userId: number, kind: Kind, count: number, ofImport?: SQL): SQL {
  const held = sql`(SELECT count(*) FROM ${records} WHERE user_id = ${userId} AND kind = ${kind.name})`;
  const saved = sql`(SELECT count(*) FROM ${records} WHERE user_id = ${userId} AND ${ofImport})`;
  return sql`${ofImport ? sql`${held} - ${saved}` : held} <= ${ACCOUNT_RECORDS_MAX - count}`;
}

/** Thrown if records would be more than an account holds. */
export class RecordsFullError extends AppError {
  constructor({ texts }: Kind) {
    const [name] = texts.counts;
    super(
      "account_full",
      `An account holds at most ${ACCOUNT_RECORDS_MAX.toLocaleString("en")} ${name}, and these would be more. Nothing was saved. Delete some that you do not need: they stop counting 24 hours later.`,
    );
  }
}

/** `insertStatement` and what it returns: `inserted` are the new records, `stored` those of the submission. */
export function insertRecords<Row extends AnyRecord, Values extends object>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  insertion: Insertion,
) {
  const rows = list.map((values) => loggedRow(kind, values));
  const inserted = insertStatement(db, userId, kind, rows, insertion).returning(columnsOf(kind));
  return {
    inserted: inserted as unknown as RowQuery<Row>, // as in `selectRecords`
    stored: selectRecords<Row>(db, kind, {
      where: isOfSubmission(userId, insertion.submission),
      orderBy: [asc(records.id)],
    }),
    /** Whether the submission was saved, also if its records were deleted since. */
    known: db.select({ id: records.id }).from(records).where(isOfSubmission(userId, insertion.submission)).limit(1),
  };
}
