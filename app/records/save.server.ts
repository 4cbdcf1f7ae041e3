import { asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { batch, type Db, type Owner, type Queries } from "#app/db/client.server.ts";
import { SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import type { Detail, Details } from "./details.ts";
import type { AnyRecord, Content, Field, Kind, RecordWithOwner, ShownRecord, Stored } from "./kind.ts";
import { columnsOf, IS_LIVE, isOwn, type RowQuery, selectRecords } from "./queries.server.ts";
import { CONTENT, type RecordRow, records } from "./records.table.ts";

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
  const columns = sql.raw(identity.columns.join(", "));
  const sent = sql.raw(identity.columns.map((_, index) => `value ->> ${index}`).join(", "));
  return db
    .select({ id: sql<number>`min(id)`.as("id"), date: records.date })
    .from(records)
    .where(
      // Compared as JSON, in which NULL equals NULL.
      sql`${isOwn(owner, kind)} AND ${mayBeSame(kind, rows)}
        AND json_array(${columns}) IN (SELECT json_array(${sent}) FROM json_each(${JSON.stringify(rows.map(identity.valuesOf))}))`,
    )
    .groupBy(columns)
    .having(sql`count(*) > 1`)
    .orderBy(records.date)
    .limit(WARNED_MAX);
}

export type Twin = Awaited<ReturnType<typeof findTwins>>[number];

const CONTENT_COLUMNS = Object.entries(CONTENT) as [Stored, SQLiteColumn][];

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
  // Materialized, so that it is read once and not for each entry; from an index that has no others.
  const level = sql`(WITH held AS MATERIALIZED (SELECT method, level, date, end_date
    FROM ${records} INDEXED BY records_held
    WHERE user_id = ${userId} AND ${IS_LIVE} AND kind = 'certificate' AND subtype = 'certificate' AND verified = 1
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
  const columns = sql.raw(CONTENT_COLUMNS.map(([, { name }]) => name).join(", "));
  // One set for all values: a look-up for each would read a day's records as often as the file has that day. As JSON, NULL
  // equals NULL. `|| ''` makes text of what `json_remove` returns, as `fields` is text: inside `json_array` they would differ.
  const poorer = withoutDetails.map(
    ([
      path,
      left,
    ]) => sql` UNION ALL SELECT json_array(${list((name) => name, sql`json_remove(fields, ${path}) || ''`, left)})
      FROM logged WHERE fields ->> ${path} IS NOT NULL`,
  );
  return sql`(json_array(${sent}) IN (WITH logged AS MATERIALIZED (SELECT ${columns} FROM ${records}
      WHERE ${isOwn(owner, kind)} AND ${mayBeSame(kind, rows)})
    SELECT json_array(${list((name) => name, sql`fields`)}) FROM logged ${sql.join(poorer)})) IS TRUE`;
}

/**
 * The condition that a record has, one by one, values that these new ones have in what makes records the same, whatever the
 * case of letters. What it lets through is compared as JSON, which takes ten times as long, and a day can have 20,000 records.
 */
function mayBeSame(kind: Kind, rows: readonly NewRow[]): SQL {
  const { columns, valuesOf } = identityOf(kind);
  const values = rows.map(valuesOf);
  const conditions = columns.map((name, index) => {
    const sent = [...new Set(values.map((row) => row[index] ?? null))];
    const isPlain = name === records.date.name || sent.every((value) => typeof value === "number");
    const text = (value: SQL) => (isPlain ? value : sql`coalesce(lower(${value}), '')`);
    return sent.length === 1
      ? sql`${text(sql.raw(name))} = ${text(sql`${sent[0]}`)}`
      : sql`${text(sql.raw(name))} IN (SELECT ${text(sql`value`)} FROM json_each(${JSON.stringify(sent)}))`;
  });
  return sql.join(conditions, sql` AND `);
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
