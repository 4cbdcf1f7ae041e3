import { type AnyColumn, and, asc, desc, eq, getTableColumns, type Query, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Counted } from "#app/accounts/own-deletion.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { Status } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import type { Cursor } from "./cursor.ts";
import { type AnyRecord, columnOf, columnSql, type Kind, type RecordWithToken } from "./kind.ts";

/** A query that returns rows of one type, alone or in a batch. */
export type RowQuery<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { toSQL(): Query };

/** A record's columns that its owner sees. */
export function storedColumnsOf(kind: Kind) {
  const {
    verificationToken: _token,
    search: _search,
    submission: _submission,
    requestedAt: _requestedAt,
    declinedAt: _declinedAt,
    ...columns
  } = getTableColumns(kind.table);
  return columns;
}

/** The status of a record, from the columns of its table. */
export const STATUS_OF_ROW = sql<Status>`CASE WHEN verified THEN 'verified' WHEN requested_at IS NOT NULL THEN 'requested'
  WHEN declined_at IS NOT NULL THEN 'declined' ELSE 'pending' END`;

/** The same with the record's status. */
export function columnsOf(kind: Kind) {
  return { ...storedColumnsOf(kind), status: STATUS_OF_ROW.as("status") };
}

/** The condition of each status, for a record's table. It agrees with `columnsOf`. */
export const STATUS_CONDITIONS: Record<Status, SQL> = {
  pending: sql`verified = 0 AND requested_at IS NULL AND declined_at IS NULL`,
  requested: sql`requested_at IS NOT NULL`,
  declined: sql`verified = 0 AND requested_at IS NULL AND declined_at IS NOT NULL`,
  verified: sql`verified = 1`,
};

interface Selection {
  where: SQL | undefined;
  orderBy?: SQL[];
  limit?: number | undefined;
  /** Columns to read besides these. */
  more?: Record<string, SQL.Aliased | AnyColumn>;
}

export function selectRecords<Row extends AnyRecord = AnyRecord>(
  db: Db,
  kind: Kind<Row>,
  { where, orderBy = [], limit = -1, more = {} }: Selection,
): RowQuery<Row> {
  const query = db
    .select({ ...columnsOf(kind), ...more })
    .from(kind.table)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  return query as unknown as RowQuery<Row>; // Drizzle knows only the common columns; the table has all
}

interface Range extends Pick<Selection, "more"> {
  /** Reads records older than this one, newest first. */
  before?: Cursor | null;
  /** Reads records newer than this one, oldest first. */
  after?: Cursor | null;
  where?: SQL | undefined;
  limit?: number;
}

/** A user's records of a kind, newest first: by date, then by id. */
export function listRecords<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { before, after, where, limit, more }: Range = {},
): RowQuery<Row> {
  const position = sql`(${columnSql(kind, kind.dateField)}, ${kind.table.id})`;
  const direction = after ? asc : desc;
  return selectRecords(db, kind, {
    where: and(
      eq(kind.table.userId, owner),
      before ? sql`${position} < (${before.date}, ${before.id})` : undefined,
      after ? sql`${position} > (${after.date}, ${after.id})` : undefined,
      where,
    ),
    orderBy: [direction(columnSql(kind, kind.dateField)), direction(kind.table.id)],
    limit,
    ...(more && { more }),
  });
}

/** The sum of a kind's hours in hundredths: SQLite adds integers exactly. */
export function sumOfHours(hours: AnyColumn) {
  return sql<number>`coalesce(sum(CAST(round(${hours} * 100) AS INTEGER)), 0)`;
}

/**
 * The hours of a user's records of a kind that a supervisor was asked to verify and has not, in hundredths. A partial
 * index covers it.
 */
export function requestedHours(db: Db, owner: Owner, { table }: Kind) {
  return db
    .select({ hundredths: sumOfHours(table.hours).as("hundredths") })
    .from(table)
    .where(and(eq(table.userId, owner), sql`${table.requestedAt} IS NOT NULL`));
}

/** One of a user's records, with the token of its link. No row if there is none or it belongs to another user. */
export function findRecord<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number) {
  const { table } = kind;
  return selectRecords(db, kind, {
    where: and(eq(table.userId, owner), eq(table.id, id)),
    more: { verificationToken: table.verificationToken },
  }) as RowQuery<RecordWithToken<Row>>;
}

/**
 * The record from the rows of `findRecord`.
 * @throws {AppError} 404 if there is none
 */
export function requireRecord(kind: Kind, [record]: RecordWithToken[]): RecordWithToken {
  if (!record) throw new AppError(404, kind.texts.missing);
  return record;
}

/** The counts shown before an account is deleted: all records of a kind, and the verified ones if it names them. */
export function countedOf({ table, texts: { counts } }: Kind): Counted[] {
  const [all, verified] = counts;
  return [{ term: all, table }, ...(verified ? [{ term: verified, table, where: sql`verified = 1` }] : [])];
}

export function withoutToken({ verificationToken: _, ...record }: RecordWithToken): AnyRecord {
  return record as AnyRecord; // the other fields are those of AnyRecord
}

/**
 * The condition that a user's record is unverified and that its content has not changed since it was read. Use it in the
 * statement that changes or deletes the record. (A new request for it, or the end of one, appends to its log.)
 */
export function isUnchanged(kind: Kind, record: RecordWithToken): SQL {
  const fields = [...kind.content, ...kind.marks];
  const content = fields.map((field) => sql`${columnSql(kind, field)} = ${record[field]}`);
  return sql`id = ${record.id} AND user_id = ${record.userId} AND verified = 0
    AND ${sql.join(content, sql` AND `)}`;
}

export function existsRecord(kind: Kind, where: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${kind.table} WHERE ${where})`;
}

interface Insertion {
  submission: string | null;
  now: Date;
  /** Which values are saved: a condition of `json_each.value`, or of none at all. */
  where: SQL;
}

/** The statement that saves new records, all or none. It saves nothing if the same submission was saved before. */
export function insertStatement<Row extends AnyRecord, Values extends object>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now, where }: Insertion,
) {
  const { table } = kind;
  const rows = JSON.stringify(list.map((values) => ({ ...values, search: kind.search(values) })));
  const content = sql.raw(kind.content.map((field) => `value ->> '${field}'`).join(", "));
  const marks = sql.raw(kind.marks.map((field) => `, coalesce(value ->> '${field}', 0)`).join(""));
  const ofSubmission = isOfSubmission(userId, kind, submission);
  // One statement for any number of rows, because D1 allows 100 bound values.
  return db.insert(table).select(
    sql`SELECT NULL, ${userId}, ${content}, 0, NULL, NULL, NULL, value ->> 'search', ${submission}, ${now.getTime()},
        NULL, NULL, NULL${marks}
        FROM json_each(${rows}) WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${ofSubmission}) AND ${where}`,
  );
}

function isOfSubmission(userId: number, { table }: Kind, submission: string | null): SQL | undefined {
  return and(eq(table.userId, userId), eq(table.submission, submission ?? ""));
}

/** `insertStatement` and what it returns: `inserted` are the new records, `stored` those of the submission. */
export function insertRecords<Row extends AnyRecord, Values extends object>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  insertion: Insertion,
) {
  const inserted = insertStatement(db, userId, kind, list, insertion).returning(columnsOf(kind));
  return {
    inserted: inserted as unknown as RowQuery<Row>, // as in `selectRecords`
    stored: selectRecords<Row>(db, kind, {
      where: isOfSubmission(userId, kind, insertion.submission),
      orderBy: [asc(kind.table.id)],
    }),
  };
}

/** The statement that changes the content of records, removes the token of their link and returns them. */
export function updateContent(db: Db, kind: Kind, values: object, where: SQL): RowQuery<AnyRecord> {
  const query = db
    .update(kind.table)
    .set({ ...values, search: kind.search(values), verificationToken: null, declinedAt: null })
    .where(where)
    .returning(columnsOf(kind));
  return query as unknown as RowQuery<AnyRecord>; // as in `selectRecords`
}

export function contentColumns(kind: Kind): string[] {
  return kind.content.map((field) => columnOf(kind, field));
}

export function markColumns(kind: Kind): string[] {
  return kind.marks.map((field) => columnOf(kind, field));
}
