import { and, asc, desc, eq, getTableColumns, type Query, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Counted } from "#app/accounts/own-deletion.server.ts";
import { DAY_MS, isCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { Status } from "#app/db/enumerations.ts";
import { isInPart } from "#app/db/parts.server.ts";
import { AppError } from "#app/errors.ts";
import {
  type AnyRecord,
  type Field,
  type Kind,
  LOG_ANCHOR,
  logHref,
  type RecordWithOwner,
  SHOW_DELETED,
} from "./kind.ts";
import { records } from "./records.table.ts";

/** A query that returns rows of one type, alone or in a batch. */
export type RowQuery<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { toSQL(): Query };

/** The condition that a record exists: it was not deleted. The indexes of the table begin with it. */
export const IS_LIVE = sql`deleted_at IS NULL`;

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_DELETION_MS = DAY_MS;

/** The condition that a record was deleted and can still be restored, by an admin. */
export function isRestorableByAdmin(now: Date): SQL {
  return sql`deleted_at > ${now.getTime() - UNDO_DELETION_MS}`;
}

/** The condition that its owner can restore a record: what an admin deleted, only an admin restores. */
export function isRestorable(now: Date): SQL {
  return sql`${isRestorableByAdmin(now)} AND deleted_by_admin = 0`;
}

/** The condition of a user's records of a kind, the deleted ones left out; `exists` chooses others than `IS_LIVE`. */
export function isOwn(owner: Owner, kind: Kind, exists: SQL = IS_LIVE): SQL {
  return sql`user_id = ${owner} AND kind = ${kind.name} AND ${exists}`;
}

/** The status of a record, from the columns of its row. */
export const STATUS_OF_ROW = sql<Status>`CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN verified THEN 'verified' WHEN requested_at IS NOT NULL THEN 'requested'
  WHEN declined_at IS NOT NULL THEN 'declined' ELSE 'pending' END`;

/** The condition of each status of a record that exists. It agrees with `STATUS_OF_ROW`. */
export const STATUS_CONDITIONS: Record<Exclude<Status, "deleted">, SQL> = {
  pending: sql`verified = 0 AND requested_at IS NULL AND declined_at IS NULL`,
  requested: sql`requested_at IS NOT NULL`,
  declined: sql`verified = 0 AND requested_at IS NULL AND declined_at IS NOT NULL`,
  verified: sql`verified = 1`,
};

/** The condition that a supervisor can be asked about a record of a kind (`isAskable`). */
export function mayBeAsked({ unasked }: Kind): SQL {
  return unasked ? sql`subtype IS NOT ${unasked.subtype}` : sql`1`;
}

/** The columns that the hash of a record needs besides the record: the random value of its owner (`users.owner`). */
export const HASHED_WITH = {
  owner: sql<string>`(SELECT lower(hex(owner)) FROM users WHERE users.id = records.user_id)`.as("owner"),
};

/** Returns the columns of a record of any kind that its owner sees, besides the fields of its kind. */
export function commonColumns() {
  const { id, userId, verified, verifiedBy, verifiedAt, verifiedVia, confirmedAt, createdAt } =
    getTableColumns(records);
  const verification = { verified, verifiedBy, verifiedAt, verifiedVia, confirmedAt };
  return { id, userId, ...verification, createdAt, status: STATUS_OF_ROW.as("status") };
}

/** The columns of a record that its owner sees, under the names of its kind's fields. */
export function columnsOf(kind: Kind): Record<string, SQLiteColumn | SQL.Aliased> {
  const { id, userId, ...others } = commonColumns();
  const content = kind.fields.map((field) => [field.name, columnOf(field)]);
  return { id, userId, ...Object.fromEntries(content), ...others };
}

function columnOf({ name, type, stored }: Field): SQLiteColumn | SQL.Aliased {
  if (type === "details") return sql`coalesce(${records.fields} -> 'details', '{}')`.mapWith(JSON.parse).as(name);
  if (stored !== "fields") return records[stored];
  const text = sql`${records.fields} ->> ${sql.raw(`'${name}'`)}`;
  return (type === "count" ? text.mapWith(Number) : text).as(name);
}

interface Selection {
  where: SQL | undefined;
  /** Which records exist; the deleted ones are left out without it. */
  exists?: SQL;
  orderBy?: SQL[];
  limit?: number | undefined;
  /** Reads no more than a part has (`isInPart`), by the bytes of a row. */
  bytes?: SQL | undefined;
  /** Columns to read besides these. */
  more?: Record<string, SQL.Aliased | SQLiteColumn>;
}

/** The bytes of the texts of a record that are columns, and less than its JSON has besides. */
export const BYTES_OF_COLUMNS = sql`(200 + coalesce(octet_length(location), 0) + coalesce(octet_length(standard), 0)
  + coalesce(octet_length(revoked_reason), 0) + coalesce(octet_length(verified_by), 0))`;

/** The bytes of a record of any kind. */
export const BYTES_OF_RECORD = sql`(${BYTES_OF_COLUMNS} + octet_length(fields))`;

/** Reads records of a kind. */
export function selectRecords<Row extends AnyRecord = AnyRecord>(
  db: Db,
  kind: Kind<Row>,
  { where, exists = IS_LIVE, orderBy = [], limit = -1, bytes, more = {} }: Selection,
): RowQuery<Row> {
  const chosen = and(eq(records.kind, kind.name), exists, where);
  const order = sql.join(orderBy, sql`, `);
  const query = db
    .select({ ...columnsOf(kind), ...more })
    .from(records)
    .where(bytes ? isInPart({ from: records, where: chosen, order, bytes, limit }) : chosen)
    .orderBy(...orderBy)
    .limit(limit);
  return query as unknown as RowQuery<Row>; // Drizzle has the types of the columns only, not the kind's
}

interface Range extends Pick<Selection, "more" | "exists" | "bytes"> {
  /** Reads records older than this one, newest first. */
  before?: Cursor | null;
  /** Reads records newer than this one, oldest first. */
  after?: Cursor | null;
  where?: SQL | undefined;
  limit?: number;
}

/** The condition that a record is older than the one `before`, and newer than the one `after`. */
export function isBetween({ before, after }: Pick<Range, "before" | "after">): SQL | undefined {
  return and(
    before ? sql`(date, id) < (${before.date}, ${before.id})` : undefined,
    after ? sql`(date, id) > (${after.date}, ${after.id})` : undefined,
  );
}

/** A user's records of a kind, newest first: by date, then by id. */
export function listRecords<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { before, after, where, exists, limit, bytes, more }: Range = {},
): RowQuery<Row> {
  const direction = after ? asc : desc;
  return selectRecords(db, kind, {
    where: and(eq(records.userId, owner), isBetween({ before, after }), where),
    orderBy: [direction(records.date), direction(records.id)],
    limit,
    bytes,
    ...(exists && { exists }),
    ...(more && { more }),
  });
}

interface EndingRange extends Range {
  /** The first and the last day on which they end. */
  within: readonly [string, string];
}

/** The condition that a user's record expires within some days, after the one `before`. One that was revoked does not expire. */
export function isEnding(owner: Owner, { within: [first, last], before }: EndingRange): SQL | undefined {
  return and(
    // The index has only what has a subtype: each certificate has its category.
    sql`user_id = ${owner} AND subtype IS NOT NULL AND revoked_on IS NULL AND end_date BETWEEN ${first} AND ${last}`,
    before ? sql`(end_date, id) > (${before.date}, ${before.id})` : undefined,
  );
}

/** A user's records of a kind that end within some days, the soonest first. `before` is the last one of the page before. */
export function listByEnd<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { where, exists = IS_LIVE, limit, bytes, ...range }: EndingRange,
): RowQuery<Row> {
  return selectRecords(db, kind, {
    where: and(isEnding(owner, range), where),
    exists,
    orderBy: [asc(records.endDate), asc(records.id)],
    limit,
    bytes,
  });
}

/** The sum of hours in hundredths, which are integers: the sum is exact. */
export const SUM_OF_HOURS = sql<number>`coalesce(sum(hours), 0)`;

/** The sum of verified hours, likewise. */
export const VERIFIED_HOURS = sql<number>`coalesce(sum(verified * hours), 0)`;

/** The sums of hours of each status, in hundredths; declined hours are in none but the first. An index covers them. */
export const SUMS_BY_STATUS = {
  hundredths: SUM_OF_HOURS.as("hundredths"),
  verified: VERIFIED_HOURS.as("verified_hundredths"),
  requested: sql<number>`coalesce(sum((requested_at IS NOT NULL) * hours), 0)`.as("requested_hundredths"),
  pending: sql<number>`coalesce(sum((verified = 0 AND coalesce(requested_at, declined_at) IS NULL) * hours), 0)`.as(
    "pending_hundredths",
  ),
};

/** The query for whether a user has any record: one row or none. */
export function anyRecord(db: Db, owner: Owner) {
  return db
    .select({ id: records.id })
    .from(records)
    .where(sql`user_id = ${owner} AND kind IN (SELECT name FROM kinds) AND ${IS_LIVE}`)
    .limit(1);
}

/** Finds one of a user's records, with its `owner`. No row if there is none or it belongs to another user. */
export function findRecord<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number) {
  return selectRecords(db, kind, {
    where: and(eq(records.userId, owner), eq(records.id, id)),
    more: HASHED_WITH,
  }) as RowQuery<RecordWithOwner<Row>>;
}

/** The condition that a record was sent together with this one of the owner's. */
export function isSavedWith(owner: Owner, id: number): SQL {
  return sql`submission = (SELECT one.submission FROM ${records} AS one WHERE one.id = ${id} AND one.user_id = ${owner})`;
}

/**
 * The first `limit` records that the owner sent together with this one, in that order. None if it came without a key. An
 * import sends up to 10,000 together.
 */
export function savedTogether<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number, limit: number) {
  return selectRecords(db, kind, {
    where: sql`user_id = ${owner} AND ${isSavedWith(owner, id)}`,
    orderBy: [asc(records.id)],
    limit,
  });
}

/**
 * The record from the rows of `findRecord`.
 * @throws {AppError} 404 if there is none
 */
export function requireRecord(kind: Kind, [record]: RecordWithOwner[], deleted: unknown[] = []): RecordWithOwner {
  if (record) return record;
  if (deleted.length === 0) throw new AppError("not_found", kind.texts.missing);
  const error = new AppError("not_found", DELETED);
  error.link = { href: logHref(kind.path, { status: "deleted" }) + LOG_ANCHOR, text: SHOW_DELETED };
  throw error;
}

const DELETED =
  "You deleted this. For 24 hours your log has it still: choose Deleted in its filter, and Undo brings it back.";

/** The query whether a record of the user's was deleted and can still be restored, for `requireRecord`. */
export function findDeleted(db: Db, owner: Owner, kind: Kind, id: number, now: Date) {
  return db
    .select({ id: records.id })
    .from(records)
    .where(sql`id = ${id} AND ${isOwn(owner, kind, isRestorable(now))}`);
}

/** The counts shown before an account is deleted: all records of a kind, and the verified ones if it names them. */
export function countedOf({ name, texts: { counts } }: Kind): Counted[] {
  const [all, verified] = counts;
  const where = sql`kind = ${name} AND ${IS_LIVE}`;
  return [
    { term: all, table: records, where },
    ...(verified ? [{ term: verified, table: records, where: sql`${where} AND verified = 1` }] : []),
  ];
}

export function withoutOwner({ owner: _, ...record }: RecordWithOwner): AnyRecord {
  return record as AnyRecord; // the other fields are those of AnyRecord
}

/** The position of a page in a log: the date (rope hours: start date) and id of the last record on the page before. */
export interface Cursor {
  date: string;
  id: number;
}

/** A cursor as a URL parameter: `2026-11-21.42`. */
export function formatCursor({ date, id }: Cursor): string {
  return `${date}.${id}`;
}

/** Reads a cursor from a URL parameter; null if it is missing or invalid. */
export function parseCursor(text: string | null): Cursor | null {
  const [, date, id] = text?.match(/^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/) ?? [];
  return date && id && isCalendarDate(date) ? { date, id: Number(id) } : null;
}
