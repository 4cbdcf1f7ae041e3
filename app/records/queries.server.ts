import { and, asc, desc, eq, getTableColumns, type Query, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Counted } from "#app/accounts/own-deletion.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import type { Status } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import type { Cursor } from "./cursor.ts";
import type { Detail, Details } from "./details.ts";
import type { AnyRecord, Content, Field, Kind, RecordWithOwner, ShownRecord, Stored } from "./kind.ts";
import { kindNamed } from "./kinds.ts";
import { CONTENT, type RecordRow, records } from "./records.table.ts";

const CONTENT_COLUMNS = Object.entries(CONTENT) as [Stored, SQLiteColumn][];

/** A query that returns rows of one type, alone or in a batch. */
export type RowQuery<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { toSQL(): Query };

/** The condition that a record exists: its owner has not deleted it. The indexes of the table begin with it. */
export const IS_LIVE = sql`deleted_at IS NULL`;

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_DELETION_MS = 24 * 60 * 60 * 1000;

/** The condition that a record was deleted and can still be restored. */
export function isRestorable(now: Date): SQL {
  return sql`deleted_at > ${now.getTime() - UNDO_DELETION_MS}`;
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

/** What a reader of a record's hash needs besides the record: the random value of its owner (`users.owner`). */
const HASHED_WITH = {
  owner: sql<string>`(SELECT lower(hex(owner)) FROM users WHERE users.id = records.user_id)`.as("owner"),
};

/** What the owner of a record of any kind sees of it, besides the fields of its kind. */
function commonColumns() {
  const { id, userId, verified, verifiedBy, verifiedAt, verifiedVia, confirmedAt, createdAt } =
    getTableColumns(records);
  const verification = { verified, verifiedBy, verifiedAt, verifiedVia, confirmedAt };
  return { id, userId, ...verification, createdAt, status: STATUS_OF_ROW.as("status") };
}

/** The columns of a record that its owner sees, under the names of its kind's fields. */
function columnsOf(kind: Kind): Record<string, SQLiteColumn | SQL.Aliased> {
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
  /** Columns to read besides these. */
  more?: Record<string, SQL.Aliased | SQLiteColumn>;
}

/** Reads records of a kind. */
export function selectRecords<Row extends AnyRecord = AnyRecord>(
  db: Db,
  kind: Kind<Row>,
  { where, exists = IS_LIVE, orderBy = [], limit = -1, more = {} }: Selection,
): RowQuery<Row> {
  const query = db
    .select({ ...columnsOf(kind), ...more })
    .from(records)
    .where(and(eq(records.kind, kind.name), exists, where))
    .orderBy(...orderBy)
    .limit(limit);
  return query as unknown as RowQuery<Row>; // Drizzle knows the columns only, not the kind's type
}

/** Reads records of any kind, the deleted ones left out. `recordFromRow` gives each its kind and the names of its fields. */
export function selectAnyRecords(db: Db, where: SQL, more: Record<string, SQL.Aliased> = {}) {
  return db
    .select({ ...commonColumns(), kind: records.kind, ...CONTENT, ...HASHED_WITH, ...more })
    .from(records)
    .where(and(IS_LIVE, where));
}

type AnyRow = Awaited<ReturnType<typeof selectAnyRecords>>[number];

/** A record of any kind with its kind. */
export interface KindAndRecord<Row extends AnyRecord = RecordWithOwner> {
  kind: Kind;
  record: Row;
}

/** The record of a row of `selectAnyRecords`, as `selectRecords` would return it, with `owner`. */
export function recordFromRow<Row extends AnyRecord = RecordWithOwner>(row: AnyRow): KindAndRecord<Row> {
  const kind = kindNamed(row.kind);
  const common = Object.entries(row).filter(([name]) => name !== "kind" && !(name in CONTENT));
  const content = kind.fields.map(({ name, type, stored }): [string, unknown] => {
    if (stored !== "fields") return [name, row[stored]];
    const value = row.fields[name] ?? (type === "details" ? {} : null);
    return [name, type === "count" && value !== null ? Number(value) : value];
  });
  return { kind, record: Object.fromEntries([...common, ...content]) as unknown as Row }; // by the kind's `fields`
}

/** The records of such rows by id. */
export function recordsById<Row extends AnyRecord = RecordWithOwner>(rows: AnyRow[]): Map<number, KindAndRecord<Row>> {
  return new Map(rows.map((row) => [row.id, recordFromRow<Row>(row)]));
}

interface Range extends Pick<Selection, "more" | "exists"> {
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
  { before, after, where, exists, limit, more }: Range = {},
): RowQuery<Row> {
  const position = sql`(${records.date}, ${records.id})`;
  const direction = after ? asc : desc;
  return selectRecords(db, kind, {
    where: and(
      eq(records.userId, owner),
      before ? sql`${position} < (${before.date}, ${before.id})` : undefined,
      after ? sql`${position} > (${after.date}, ${after.id})` : undefined,
      where,
    ),
    orderBy: [direction(records.date), direction(records.id)],
    limit,
    ...(exists && { exists }),
    ...(more && { more }),
  });
}

interface EndingRange extends Range {
  /** The first and the last day on which they end. */
  within: readonly [string, string];
}

/** A user's records of a kind that end within some days, the soonest first. `before` is the last one of the page before. */
export function listByEnd<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { within: [first, last], before, where, exists = IS_LIVE, limit }: EndingRange,
): RowQuery<Row> {
  return selectRecords(db, kind, {
    where: and(
      // Only those with a subtype have an end, and are in the index.
      sql`user_id = ${owner} AND subtype IS NOT NULL AND end_date BETWEEN ${first} AND ${last}`,
      before ? sql`(end_date, id) > (${before.date}, ${before.id})` : undefined,
      where,
    ),
    exists,
    orderBy: [asc(records.endDate), asc(records.id)],
    limit,
  });
}

/** The sum of hours in hundredths, which are integers: the sum is exact. */
export const SUM_OF_HOURS = sql<number>`coalesce(sum(hours), 0)`;

/** The sums of hours of each status, in hundredths; declined hours are in none but the first. An index covers them. */
export const SUMS_BY_STATUS = {
  hundredths: SUM_OF_HOURS.as("hundredths"),
  verified: sql<number>`coalesce(sum(verified * hours), 0)`.as("verified_hundredths"),
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

/** One of a user's records, with its `owner`. No row if there is none or it belongs to another user. */
export function findRecord<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number) {
  return selectRecords(db, kind, {
    where: and(eq(records.userId, owner), eq(records.id, id)),
    more: HASHED_WITH,
  }) as RowQuery<RecordWithOwner<Row>>;
}

/**
 * The first `limit` records that the owner sent together with this one, in that order. None if it came without a key. An
 * import sends up to 10,000 together.
 */
export function savedTogether<Row extends AnyRecord>(db: Db, owner: Owner, kind: Kind<Row>, id: number, limit: number) {
  return selectRecords(db, kind, {
    where: sql`user_id = ${owner}
      AND submission = (SELECT one.submission FROM ${records} AS one WHERE one.id = ${id} AND one.user_id = ${owner})`,
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
  throw new AppError("not_found", deleted.length > 0 ? DELETED : kind.texts.missing);
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

/** What is verified of a record, by the columns of the table: from its fields, as they were typed or as they were read. */
export function contentOf(kind: Kind, values: object): Content {
  const given = values as { [field: string]: unknown };
  const content: Content = {
    date: "",
    endDate: null,
    location: null,
    method: null,
    hours: null,
    subtype: null,
    level: null,
    part: null,
    score: null,
    standard: null,
    broughtForward: false,
    fields: {},
  };
  for (const { name, type, stored } of kind.fields) {
    const value = given[name] ?? null;
    if (type === "details") {
      const details = value as Details | null; // by the schema, in the order of the kind
      if (details && Object.keys(details).length > 0) content.fields[name] = details;
      for (const { name, stored } of kind.details)
        if (stored) Object.assign(content, { [stored]: details?.[name] ?? null });
    } else if (stored === "fields") {
      if (value !== null) content.fields[name] = String(value);
    } else if (stored === "broughtForward") content.broughtForward = value === true;
    else Object.assign(content, { [stored]: value });
  }
  return content;
}

/**
 * The same by the names of the columns, as JSON in which SQLite finds what it stores: `->>` makes text of `fields`. As text
 * in JSON it could be twice as long, and D1 allows no value over 2 MB.
 */
function storedContent(kind: Kind, values: object): StoredContent {
  const content = contentOf(kind, values);
  const others = CONTENT_COLUMNS.filter(([stored]) => stored !== "fields").map(([stored, column]) => {
    const value = content[stored];
    return [column.name, value === null ? null : column.mapToDriverValue(value)];
  });
  return { ...Object.fromEntries(others), date: content.date, fields: content.fields };
}

interface StoredContent {
  date: string;
  fields: Content["fields"];
  /** Of the other columns, as the database holds it. */
  [column: string]: unknown;
}

/** A new record as `insertStatement` and `isInLog` take it. */
interface NewRow extends StoredContent {
  search: string;
}

export function newRow<Values extends object>(kind: Kind<ShownRecord, Values>, values: Values): NewRow {
  return { ...storedContent(kind, values), search: kind.search(values) };
}

/** UTC+14, where each date begins first. */
const EARLIEST_ZONE_MS = 14 * 60 * 60 * 1000;

/** Whether the last day of a record has begun anywhere on earth: before that nobody can verify it. */
export function hasBegun(kind: Kind, values: object, now: Date): boolean {
  const { date, endDate } = contentOf(kind, values);
  const isPeriod = kind.fields.some(({ type, stored }) => type === "date" && stored === "endDate");
  return ((isPeriod && endDate) || date) <= new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10);
}

/** The detail that a new record of a kind gets from the technician's certificates, if its kind has one. */
function detailFromCertificate({ details }: Kind): Detail | undefined {
  return details.find(({ isFromCertificate }) => isFromCertificate);
}

/**
 * A new record as a technician logs it: without a level worked as, its row has an empty place for it, in the order of its
 * details, which `insertStatement` fills. Hours of earlier years were worked as more than one, so they get none.
 */
export function loggedRow<Values extends object>(kind: Kind<ShownRecord, Values>, values: Values): NewRow {
  const row = newRow(kind, values);
  const name = detailFromCertificate(kind)?.name;
  const details = (row.fields.details ?? {}) as Details; // stored as `contentOf` makes it
  if (!name || details[name] || row.brought_forward) return row;
  const places = kind.details.flatMap((detail): [string, string | null][] =>
    detail.name === name ? [[name, null]] : details[detail.name] ? [[detail.name, details[detail.name] ?? null]] : [],
  );
  return { ...row, fields: { ...row.fields, details: Object.fromEntries(places) as Details } };
}

/** More certificates of methods than this are not looked at: a statement of 500 entries compares each with all of them. */
const HELD_MAX = 200;

/** Whether `json_each.value` has the empty place of `loggedRow`. */
function isUnfilled({ name }: Detail): SQL {
  return sql`json_type(value -> 'fields', ${pathOf(name)}) = 'null'`;
}

function pathOf(detail: string): SQL {
  return sql.raw(`'$.details.${detail}'`);
}

/**
 * The columns with the detail for the empty place of `loggedRow`: the highest level of the verified
 * certificates in that method that were valid on that day, else *Trainee* (product, "Details").
 */
function filledColumns(userId: number, detail: Detail): [Stored, SQL][] {
  const { name, stored } = detail;
  // Materialized, so that it is read once and not for each entry.
  const level = sql`(WITH held AS MATERIALIZED (SELECT method, level, date, end_date FROM ${records}
    WHERE user_id = ${userId} AND kind = 'certificate' AND ${IS_LIVE} AND subtype = 'certificate' AND verified = 1
      AND method IS NOT NULL AND level <> 'Trainee' ORDER BY date DESC LIMIT ${HELD_MAX})
    SELECT coalesce(max(held.level), 'Trainee') FROM held WHERE held.method = value ->> 'method'
      AND held.date <= value ->> 'date' AND coalesce(held.end_date >= value ->> 'date', 1))`;
  const filled = sql`json_set(value -> 'fields', ${pathOf(name)}, ${level})`;
  const given = sql.raw(`value ->> '${stored && records[stored].name}'`);
  return [
    ["fields", sql`iif(${isUnfilled(detail)}, ${filled}, value ->> 'fields')`],
    ...(stored ? [[stored, sql`iif(${isUnfilled(detail)}, ${level}, ${given})`] satisfies [Stored, SQL]] : []),
  ];
}

/** The SQL of a field's value in `records`. */
function sqlOf({ name, stored }: Field): string {
  return stored === "fields" ? `fields ->> '${name}'` : records[stored].name;
}

/** What the same records have in common: the expressions in `records`, and their values for new records. */
export function identityOf(kind: Kind) {
  const fields = kind.fields.filter(({ name }) => kind.identity.includes(name));
  return {
    columns: fields.map(sqlOf),
    valuesOf(row: NewRow) {
      const { fields: texts, ...columns } = row;
      return fields.map(({ name, stored }): unknown =>
        stored === "fields"
          ? texts[name]
          : Object.entries(columns).find(([column]) => column === records[stored].name)?.[1],
      );
    },
  };
}

/**
 * The condition that a user's record is unverified and that its content has not changed since it was read. Use it in the
 * statement that changes or deletes the record. (A new request for it, or the end of one, appends to its log.)
 */
export function isUnchanged(kind: Kind, record: RecordWithOwner): SQL {
  const content = Object.entries(storedContent(kind, record)).map(
    ([column, value]) =>
      sql`${sql.raw(column)} IS ${typeof value === "object" ? value && JSON.stringify(value) : value}`,
  );
  return sql`id = ${record.id} AND user_id = ${record.userId} AND verified = 0 AND ${IS_LIVE}
    AND ${sql.join(content, sql` AND `)}`;
}

/** The condition that records are unverified and have the content that was read. */
export function areUnchanged(items: readonly { kind: Kind; record: RecordWithOwner }[]): SQL {
  const read = JSON.stringify(items.map(({ kind, record }) => ({ id: record.id, ...storedContent(kind, record) })));
  const isSame = sql.raw(CONTENT_COLUMNS.map(([, { name }]) => `records.${name} IS value ->> '${name}'`).join(" AND "));
  return sql`${items.length} = (SELECT count(*) FROM json_each(${read}) CROSS JOIN ${records}
    ON records.id = value ->> 'id' WHERE verified = 0 AND ${IS_LIVE} AND ${isSame})`;
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

/**
 * The condition that the owner has a record of the kind with the content of `json_each.value`, which is one of `rows`. Upper
 * and lower case of the letters A to Z of the place count as equal, and a row without details, or without the level worked as,
 * equals a record that has some. The condition is never
 * NULL, so it can be negated: for `NOT ((…) IN (SELECT …))` SQLite walks the whole set for each value to tell false from NULL.
 */
export function isInLog(kind: Kind, owner: Owner, rows: readonly NewRow[]): SQL {
  const dates = rows.map(({ date }) => date).sort();
  const list = (column: (name: string) => string, fields: SQL, left: readonly (Detail | undefined)[] = []) =>
    sql.join(
      CONTENT_COLUMNS.map(([stored, { name }]) => {
        if (stored === "fields") return fields;
        if (left.some((detail) => detail?.stored === stored)) return sql`NULL`;
        return sql.raw(stored === "location" ? `lower(${column(name)})` : column(name));
      }),
      sql`, `,
    );
  const detail = detailFromCertificate(kind);
  const withoutDetails: [path: SQL, left: readonly Detail[]][] = [
    [ALL_DETAILS, kind.details],
    ...(detail ? [[pathOf(detail.name), [detail]] satisfies [SQL, Detail[]]] : []),
  ];
  const sent = list((name) => `value ->> '${name}'`, detail ? withoutEmptyPlace(detail) : sql`value ->> 'fields'`);
  const ofLog = sql`FROM ${records} WHERE ${isOwn(owner, kind)}
    AND date BETWEEN ${dates[0] ?? ""} AND ${dates.at(-1) ?? ""}`;
  // One set for all values: a look-up for each would read a day's records as often as the file has that day. As JSON, NULL
  // equals NULL. `|| ''` makes text of what `json_remove` returns, as `fields` is text: inside `json_array` they would differ.
  const poorer = withoutDetails.map(
    ([
      path,
      left,
    ]) => sql` UNION ALL SELECT json_array(${list((name) => name, sql`json_remove(fields, ${path}) || ''`, left)})
      ${ofLog} AND fields ->> ${path} IS NOT NULL`,
  );
  return sql`(json_array(${sent}) IN (SELECT json_array(${list((name) => name, sql`fields`)}) ${ofLog}
    ${sql.join(poorer)})) IS TRUE`;
}

const ALL_DETAILS = sql.raw("'$.details'");

/** The `fields` of `json_each.value` as its sender gave them: the empty place of `loggedRow` says nothing. */
function withoutEmptyPlace(detail: Detail): SQL {
  const path = pathOf(detail.name);
  const isAlone = sql`value ->> '$.fields.details' = ${sql.raw(`'{"${detail.name}":null}'`)}`;
  return sql`iif(${isUnfilled(detail)}, json_remove(value -> 'fields', iif(${isAlone}, ${ALL_DETAILS}, ${path})) || '',
    value ->> 'fields')`;
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

/** The statement that changes the content of records and returns them. */
export function updateContent(db: Db, kind: Kind, values: object, where: SQL): RowQuery<AnyRecord> {
  const query = db
    .update(records)
    .set({ ...contentOf(kind, values), search: kind.search(values), declinedAt: null })
    .where(where)
    .returning(columnsOf(kind));
  return query as unknown as RowQuery<AnyRecord>; // as in `selectRecords`
}
