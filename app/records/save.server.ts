import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { ACCOUNT_RECORDS_MAX, type OwnAccount, requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch, type Db, inChunks, insertSelect, type Owner, type Queries } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AccountFullError } from "#app/db/stored-bytes.server.ts";
import { SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import {
  CONTENT_COLUMNS,
  detailFromCertificate,
  type Held,
  heldLevels,
  loggedRow,
  type NewRow,
  newRow,
  recordsBytes,
  storedContent,
} from "./content.server.ts";
import type { Detail, Details } from "./details.ts";
import type { AnyRecord, Field, Kind, ShownRecord, Stored } from "./kind.ts";
import { columnsOf, isOwn, type RowQuery, selectRecords } from "./queries.server.ts";
import { records } from "./records.table.ts";

/**
 * Saves new records of a kind, all or none, in one round trip, and returns them in the order in which they were sent.
 * `submission` identifies the form or API call (`submissionOf`): sent again, it returns the records of the first time.
 * `more` are queries that run in the same batch after the insert. `twins` are the records that they are the same as.
 * @throws {SubmissionDeletedError} 409 if the user has deleted the records since and can still undo that
 * @throws {RecordsFullError} 409 if they are more than an account holds
 * @throws {AccountFullError} 409 if their texts are more than an account holds
 */
export async function saveRecords<Row extends AnyRecord, Values extends object, More extends Queries>(
  db: Db,
  account: Holder,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now }: { submission: string | null; now: Date },
  more: More,
) {
  const rows = await batch(db, {
    insertion: insertRecords(db, account, kind, list, { submission, now }),
    twins: findTwins(db, account.id, kind, list),
    more,
  });
  const { inserted, stored, known, room } = rows.insertion;
  if (submission && known.length > 0 && stored.length === 0) throw new SubmissionDeletedError();
  if (inserted.length === 0 && known.length === 0) {
    throw room[0]?.hasBytes ? new RecordsFullError(kind, account) : new AccountFullError();
  }
  const saved = submission ? stored : inserted.sort((one: Row, other: Row) => one.id - other.id);
  return { saved, twins: rows.twins, more: rows.more };
}

/**
 * Saves one new record, in one round trip. `key` identifies the submission.
 * @throws as `saveRecords`
 */
export async function saveRecord<Row extends AnyRecord, Values extends object>(
  db: Db,
  account: Holder,
  kind: Kind<Row, Values>,
  values: Values,
  key: string | null,
  now: Date,
): Promise<{ record: Row; twins: Twin[] }> {
  const submission = submissionOf(key, values);
  const { saved, twins } = await saveRecords(db, account, kind, [values], { submission, now }, {});
  const [record] = saved;
  if (!record) throw new Error("the record was not saved");
  return { record, twins };
}

/** The account that new records are of, how many of each kind and bytes it holds at most, and its certificates for `loggedRow`. */
export interface Holder extends Pick<OwnAccount, "id" | "recordsMax" | "bytesMax"> {
  held: Held;
}

/**
 * The signed-in user, and their account as the holder of new records of a kind, in one round trip.
 * @throws as `requireUser`
 */
export async function requireHolder(context: AppLoadContext, kind: Kind): Promise<{ user: User; account: Holder }> {
  const {
    user,
    account,
    held = [],
  } = await requireUser(context, (owner, db) => ({
    ...(detailFromCertificate(kind) && { held: heldLevels(db, owner) }),
  }));
  return { user, account: { ...account, held } };
}

interface Insertion {
  submission: string | null;
  now: Date;
  /** Which values are saved: a condition of `value`, or of none at all. */
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
  const content = Object.fromEntries(
    CONTENT_COLUMNS.map(([stored, { name }]): [Stored, SQL] => [stored, sql.raw(`value ->> '${name}'`)]),
  ) as Record<Stored, SQL>; // CONTENT_COLUMNS has every one
  // One statement for any number of rows, because D1 allows 100 bound values. A body of 1 MiB makes four lists at most.
  const lists = inChunks(rows).map((chunk) => sql`SELECT value FROM json_each(${JSON.stringify(chunk)})`);
  return insertSelect(
    db,
    records,
    { userId, kind: kind.name, ...content, search: sql`value ->> 'search'`, submission, createdAt: now },
    sql`FROM (${sql.join(lists, sql` UNION ALL `)})
        WHERE NOT EXISTS (SELECT 1 FROM ${records} WHERE ${isOfSubmission(userId, submission)}) AND ${where}`,
  );
}

function isOfSubmission(userId: number, submission: string | null): SQL {
  return sql`user_id = ${userId} AND submission = ${submission ?? ""}`;
}

/**
 * The condition that `count` more records of a kind are not more than an account holds. It is counted in an index: as many rows
 * as there are, and the rows that a count in a table of its own would write for each record cost more
 * (docs/decisions/0075-quotas.md).
 */
export function hasRoomFor({ id, recordsMax }: Pick<Holder, "id" | "recordsMax">, kind: Kind, count: number): SQL {
  return sql`(SELECT count(*) FROM ${records} WHERE user_id = ${id} AND kind = ${kind.name}) <= ${recordsMax - count}`;
}

/** Thrown if records would be more than an account holds. */
export class RecordsFullError extends AppError {
  constructor({ texts }: Kind, { recordsMax }: Pick<Holder, "recordsMax">) {
    const [name] = texts.counts;
    const until = recordsMax < ACCOUNT_RECORDS_MAX ? " until its email address is confirmed" : "";
    super(
      "account_full",
      `An account holds at most ${recordsMax.toLocaleString("en")} ${name}${until}, and these would be more. Nothing was saved. Delete some that you do not need: they stop counting 24 hours later.`,
    );
  }
}

/**
 * The statements that save new records if the account has room for them, and what they return: `inserted` are the new records,
 * `stored` those of the submission, `room` says whether the account has room for their texts. What it decides by the
 * account is in SQL, so it has no guard.
 */
function insertRecords<Row extends AnyRecord, Values extends object>(
  db: Db,
  account: Holder,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now }: { submission: string | null; now: Date },
) {
  const userId = account.id;
  const rows = list.map((values) => loggedRow(kind, values, account.held));
  const bytes = recordsBytes(rows);
  const hasBytes = sql<number>`(coalesce((SELECT bytes FROM ${users} WHERE id = ${userId}), 0) <= ${account.bytesMax - bytes})`;
  const where = sql`${hasRoomFor(account, kind, list.length)} AND ${hasBytes}`;
  const inserted = insertStatement(db, userId, kind, rows, { submission, now, where }).returning(columnsOf(kind));
  return {
    room: db.select({ hasBytes: hasBytes.as("has_bytes") }).from(sql`(SELECT 1)`),
    inserted: inserted as unknown as RowQuery<Row>, // as in `selectRecords`
    counted: db
      .update(users)
      .set({ bytes: sql`bytes + ${bytes}` })
      .where(sql`id = ${userId} AND changes() > 0`),
    stored: selectRecords<Row>(db, kind, {
      where: isOfSubmission(userId, submission),
      orderBy: [asc(records.id)],
    }),
    /** Whether the submission was saved, also if its records were deleted since. */
    known: db.select({ id: records.id }).from(records).where(isOfSubmission(userId, submission)).limit(1),
  };
}

/* When two records are the same: equal ones, which an import skips, and those that a save warns of. */

/** The path of a detail in `fields`, or of all of them. */
function pathOf(detail?: string): SQL {
  return sql.raw(detail ? `'$.details.${detail}'` : "'$.details'");
}

/**
 * An imported row counts as a duplicate of a record that differs only in having these details: all of them, or the level
 * worked as alone. Upper and lower case of the letters A to Z of the place count as equal too.
 */
function maySayMore(kind: Kind): { path: SQL; details: readonly Detail[] }[] {
  const detail = detailFromCertificate(kind);
  return [
    { path: pathOf(), details: kind.details },
    ...(detail ? [{ path: pathOf(detail.name), details: [detail] }] : []),
  ];
}

/**
 * The condition that the owner has a record of the kind that equals `value` (`maySayMore`), which is one of `rows`.
 * It is never NULL, so it can be negated: for `NOT ((…) IN (SELECT …))` SQLite walks the whole set for each value to tell
 * false from NULL.
 */
export function isInLog(kind: Kind, owner: Owner, rows: readonly NewRow[]): SQL {
  const list = (column: (name: string) => string, fields: SQL, left: readonly Detail[] = []) =>
    sql.join(
      CONTENT_COLUMNS.map(([stored, { name }]) => {
        if (stored === "fields") return fields;
        if (left.some((detail) => detail.stored === stored)) return sql`NULL`;
        return sql.raw(stored === "location" ? `lower(${column(name)})` : column(name));
      }),
      sql`, `,
    );
  const filled = detailFromCertificate(kind);
  const sentFields = "coalesce(value ->> 'sent', value ->> 'fields')";
  const sent = list(
    (name) => (name === filled?.stored ? `${sentFields} ->> '$.details.${filled.name}'` : `value ->> '${name}'`),
    sql.raw(sentFields),
  );
  const columns = sql.raw(CONTENT_COLUMNS.map(([, { name }]) => name).join(", "));
  // One set for all values: a look-up for each would read a day's records as often as the file has that day. As JSON, NULL
  // equals NULL. `|| ''` makes text of what `json_remove` returns, as `fields` is text: inside `json_array` they would differ.
  const poorer = maySayMore(kind).map(({ path, details }) => {
    const rest = list((name) => name, sql`json_remove(fields, ${path}) || ''`, details);
    return sql` UNION ALL SELECT json_array(${rest}) FROM logged WHERE fields ->> ${path} IS NOT NULL`;
  });
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

/** The positions of new records that equal an earlier one of the list, by the rule of `isInLog`. */
export function repeatedIn(kind: Kind, list: readonly { values: object }[]): Set<number> {
  const keyOf = (values: object, left: readonly Detail[]) => {
    const { details = {} } = values as { details?: Details };
    const rest = Object.entries(details).filter(([name]) => !left.some((detail) => detail.name === name));
    const row = storedContent(kind, { ...values, details: Object.fromEntries(rest) });
    return JSON.stringify({ ...row, location: asciiLower(row.location) });
  };
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, { values }] of list.entries()) {
    const key = keyOf(values, []);
    if (seen.has(key)) repeated.add(index);
    seen.add(key);
    for (const { details } of maySayMore(kind)) seen.add(keyOf(values, details));
  }
  return repeated;
}

/** As SQLite's `lower` changes a text. */
function asciiLower(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;
}

/** The SQL of a field's value in `records`. */
function sqlOf({ name, stored }: Field): string {
  return stored === "fields" ? `fields ->> '${name}'` : records[stored].name;
}

/** What the same records have in common: the expressions in `records`, and their values for new records. */
function identityOf(kind: Kind) {
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
