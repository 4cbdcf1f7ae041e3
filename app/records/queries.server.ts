import { and, asc, desc, eq, getTableColumns, type Query, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Counted } from "#app/accounts/own-deletion.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import type { Cursor } from "./cursor.ts";
import { type AnyRecord, columnOf, columnSql, type Kind, type RecordWithToken } from "./kind.ts";

/** A query that answers rows of one shape, by itself or in a batch. */
export type RowQuery<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { toSQL(): Query };

/** The columns of a record as its owner sees it. */
export function columnsOf(kind: Kind) {
  const {
    verificationToken: _token,
    search: _search,
    submission: _submission,
    ...columns
  } = getTableColumns(kind.table);
  return columns;
}

interface Selection {
  where: SQL | undefined;
  orderBy?: SQL[];
  limit?: number | undefined;
  /** What is read beside the record's own columns. */
  more?: Record<string, SQL.Aliased | ReturnType<typeof columnsOf>["id"]>;
}

/** Reads records of a kind. */
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
  return query as unknown as RowQuery<Row>; // Drizzle sees the common columns only, the table has those of the kind
}

interface Range {
  /** Records older than this one, newest first; … */
  before?: Cursor | null;
  /** … or newer than this one, oldest first. */
  after?: Cursor | null;
  where?: SQL | undefined;
  limit?: number;
}

/** A user's records of a kind, newest first: by date, then by id. */
export function listRecords<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { before, after, where, limit }: Range = {},
): RowQuery<Row> {
  const place = sql`(${columnSql(kind, kind.dateField)}, ${kind.table.id})`;
  const direction = after ? asc : desc;
  return selectRecords(db, kind, {
    where: and(
      eq(kind.table.userId, owner),
      before ? sql`${place} < (${before.date}, ${before.id})` : undefined,
      after ? sql`${place} > (${after.date}, ${after.id})` : undefined,
      where,
    ),
    orderBy: [direction(columnSql(kind, kind.dateField)), direction(kind.table.id)],
    limit,
  });
}

/** One of a user's records, with the token of its link; no row where there is none or it belongs to another user. */
export function findRecord<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number) {
  const { table } = kind;
  return selectRecords(db, kind, {
    where: and(eq(table.userId, owner), eq(table.id, id)),
    more: { verificationToken: table.verificationToken as unknown as SQL.Aliased },
  }) as RowQuery<RecordWithToken<Row>>;
}

/**
 * The record that `findRecord` answered.
 * @throws {AppError} 404 where there is none
 */
export function requireRecord(kind: Kind, [record]: RecordWithToken[]): RecordWithToken {
  if (!record) throw new AppError(404, kind.texts.missing);
  return record;
}

/** What is counted of a kind before an account is deleted: all records, and the verified ones if it has a term for them. */
export function countedOf({ table, texts: { counts } }: Kind): Counted[] {
  const [all, verified] = counts;
  return [{ term: all, table }, ...(verified ? [{ term: verified, table, where: sql`verified = 1` }] : [])];
}

/** A record without the token of its link. */
export function withoutToken({ verificationToken: _, ...record }: RecordWithToken): AnyRecord {
  return record as AnyRecord; // the token is the only field that it lacks
}

/**
 * The condition that one of a user's records is unverified and still as it was read: its content and its link. It
 * belongs into the statement that changes or deletes the record.
 */
export function isUnchanged(kind: Kind, record: RecordWithToken): SQL {
  const content = kind.content.map((field) => sql`${columnSql(kind, field)} = ${record[field]}`);
  return sql`id = ${record.id} AND user_id = ${record.userId} AND verified = 0
    AND verification_token IS ${record.verificationToken} AND ${sql.join(content, sql` AND `)}`;
}

/** The condition that a record of a kind exists for which another condition holds. */
export function existsRecord(kind: Kind, where: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${kind.table} WHERE ${where})`;
}

/**
 * The statements that save new records of a kind, all or none: `inserted`, which saves nothing where the same
 * submission was saved before, and `stored`, which then reads the records of the first time.
 */
export function insertRecords<Row extends AnyRecord, Values extends object>(
  db: Db,
  userId: number,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now, unless }: { submission: string | null; now: Date; unless: SQL },
) {
  const { table } = kind;
  const rows = JSON.stringify(list.map((values) => ({ ...values, search: kind.search(values) })));
  const content = sql.raw(kind.content.map((field) => `value ->> '${field}'`).join(", "));
  const ofSubmission = and(eq(table.userId, userId), eq(table.submission, submission ?? ""));
  const inserted = db
    .insert(table)
    // One statement for any number of rows: D1 takes 100 bound values and no more.
    .select(
      sql`SELECT NULL, ${userId}, ${content}, 0, NULL, NULL, NULL, value ->> 'search', ${submission}, ${now.getTime()}
        FROM json_each(${rows}) WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${ofSubmission}) AND NOT ${unless}`,
    )
    .returning(columnsOf(kind));
  return {
    inserted: inserted as unknown as RowQuery<Row>, // as in `selectRecords`
    stored: selectRecords(db, kind, { where: ofSubmission, orderBy: [asc(table.id)] }),
  };
}

/** The statement that gives records another content and takes the token of their link; it answers what they are then. */
export function updateContent(db: Db, kind: Kind, values: object, where: SQL): RowQuery<AnyRecord> {
  const query = db
    .update(kind.table)
    .set({ ...values, search: kind.search(values), verificationToken: null })
    .where(where)
    .returning(columnsOf(kind));
  return query as unknown as RowQuery<AnyRecord>; // as in `selectRecords`
}

/** The columns that say what a record is, for a statement that copies rows. */
export function contentColumns(kind: Kind): string[] {
  return kind.content.map((field) => columnOf(kind, field));
}
