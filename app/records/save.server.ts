import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, type SQL, sql } from "drizzle-orm";
import { ACCOUNT_RECORDS_MAX, type OwnAccount, requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { batch, type Db, inChunks, insertSelect, type Owner, type Queries } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { AccountFullError } from "#app/db/stored-bytes.server.ts";
import { isUnderKey, KeyReusedError, SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import {
  CONTENT_COLUMNS,
  type ContentRow,
  contentRow,
  detailFromCertificate,
  filledRow,
  type Held,
  heldLevels,
  recordsBytes,
} from "./content.server.ts";
import type { Detail } from "./details.ts";
import type { AnyRecord, Kind, ShownRecord, Stored } from "./kind.ts";
import { columnsOf, IS_LIVE, type RowQuery, selectRecords } from "./queries.server.ts";
import { records } from "./records.table.ts";

/**
 * Saves new records of a kind, all or none, in one round trip, and returns them in the order in which they were sent.
 * `submission` identifies the form or API call (`submissionOf`): sent again, it returns the records of the first time.
 * `more` are queries that run in the same batch after the insert. `duplicates` are the records that they are the same as.
 * @throws {SubmissionDeletedError} 409 if the user has deleted the records since and can still undo that
 * @throws {KeyReusedError} 409 for a call under the key of others
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
    duplicates: findDuplicates(db, account.id, kind, list),
    more,
  });
  const { inserted, stored, known, room } = rows.insertion;
  if (known[0] && known[0].submission !== submission) throw new KeyReusedError();
  if (submission && known.length > 0 && stored.length === 0) throw new SubmissionDeletedError();
  if (inserted.length === 0 && known.length === 0) {
    throw room[0]?.hasBytes ? new RecordsFullError(kind, account) : new AccountFullError();
  }
  const saved = submission ? stored : inserted.sort((one: Row, other: Row) => one.id - other.id);
  return { saved, duplicates: rows.duplicates, more: rows.more };
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
): Promise<{ record: Row; duplicates: Duplicate[] }> {
  const submission = submissionOf(key, values);
  const { saved, duplicates } = await saveRecords(db, account, kind, [values], { submission, now }, {});
  const [record] = saved;
  if (!record) throw new Error("the record was not saved");
  return { record, duplicates };
}

/** The account that new records are of, how many of each kind and bytes it holds at most, and its certificates for `filledRow`. */
export interface Holder extends Pick<OwnAccount, "id" | "recordsMax" | "bytesMax"> {
  held: Held;
  /** Whether a call saves them: it takes each key once, a form may send other content under it. */
  takesKeyOnce?: boolean;
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
  return { user, account: { ...account, held, takesKeyOnce: context.isApi } };
}

interface Insertion {
  submission: string | null;
  now: Date;
  /** The records for which nothing is saved, deleted ones too: those of the submission, unless others are named. */
  saved?: SQL;
  /** Which values are saved: a condition of `value`, or of none at all. */
  where?: SQL;
}

/** The statement that saves new records, all or none. */
export function insertStatement(
  db: Db,
  userId: number,
  kind: Kind,
  rows: readonly ContentRow[],
  { submission, now, saved = isOfSubmission(userId, submission), where = sql`1` }: Insertion,
) {
  const content = Object.fromEntries(
    CONTENT_COLUMNS.map(([stored, { name }]): [Stored, SQL] => [stored, sql.raw(`value ->> '${name}'`)]),
  ) as Record<Stored, SQL>; // CONTENT_COLUMNS has every one
  // One statement for any number of rows, because D1 allows 100 bound values. A body of 1 MiB makes four lists at most.
  const lists = inChunks(rows).map((chunk) => sql`SELECT value FROM json_each(${JSON.stringify(chunk)})`);
  return insertSelect(
    db,
    records,
    {
      userId,
      kind: kind.name,
      ...content,
      search: sql`value ->> 'search'`,
      sameKey: sql`value ->> 'same_key'`,
      submission,
      createdAt: now,
    },
    sql`FROM (${sql.join(lists, sql` UNION ALL `)})
        WHERE NOT EXISTS (SELECT 1 FROM ${records} WHERE ${saved}) AND ${where}`,
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
 * The statements that save new records if the account has room for them, and the rows they return: `inserted` are the
 * new records, `stored` those of the submission, `room` says whether the account has room for their texts. All
 * conditions about the account are in SQL, so it has no guard.
 */
function insertRecords<Row extends AnyRecord, Values extends object>(
  db: Db,
  account: Holder,
  kind: Kind<Row, Values>,
  list: Values[],
  { submission, now }: { submission: string | null; now: Date },
) {
  const userId = account.id;
  const rows = list.map((values) => filledRow(kind, values, account.held));
  const bytes = recordsBytes(rows);
  const hasBytes = sql<number>`(coalesce((SELECT bytes FROM ${users} WHERE id = ${userId}), 0) <= ${account.bytesMax - bytes})`;
  const where = sql`${hasRoomFor(account, kind, list.length)} AND ${hasBytes}`;
  const ofSubmission = isOfSubmission(userId, submission);
  const isOfKind = sql`user_id = ${userId} AND kind = ${kind.name}`;
  const saved = submission && account.takesKeyOnce ? sql`${isOfKind} AND ${isUnderKey(submission)}` : ofSubmission;
  const inserted = insertStatement(db, userId, kind, rows, { submission, now, saved, where }).returning(
    columnsOf(kind),
  );
  return {
    room: db.select({ hasBytes: hasBytes.as("has_bytes") }).from(sql`(SELECT 1)`),
    inserted: inserted as unknown as RowQuery<Row>, // as in `selectRecords`
    counted: db
      .update(users)
      .set({ bytes: sql`bytes + ${bytes}` })
      .where(sql`id = ${userId} AND changes() > 0`),
    stored: selectRecords<Row>(db, kind, {
      where: ofSubmission,
      orderBy: [asc(records.id)],
    }),
    /** Whether the submission was saved, also if its records were deleted since; or for a call another one under its key. */
    known: db
      .select({ submission: records.submission })
      .from(records)
      .where(saved)
      .orderBy(sql`submission <> ${submission ?? ""}`)
      .limit(1),
  };
}

/* When two records are the same: duplicates, which an import skips, and of which a save warns. */

/** The path of a detail in `fields`, or of all of them. */
function pathOf(detail?: string): SQL {
  return sql.raw(detail ? `'$.details.${detail}'` : "'$.details'");
}

/**
 * A record counts as a duplicate of one with the same content that has these details besides: all of them, or the level
 * worked as alone.
 */
function maySayMore(kind: Kind): { path: SQL; details: readonly Detail[] }[] {
  const detail = detailFromCertificate(kind);
  return [
    { path: pathOf(), details: kind.details },
    ...(detail ? [{ path: pathOf(detail.name), details: [detail] }] : []),
  ];
}

/** The columns of what is verified that neither `sameKey` nor `fields` has. */
function columnsBesideKey({ fields, identity, details }: Kind): string[] {
  const others = [...fields.filter(({ name }) => identity.includes(name)), ...details].map(({ stored }) => stored);
  return CONTENT_COLUMNS.filter(([stored]) => stored !== "fields" && !others.includes(stored)).map(
    ([, { name }]) => name,
  );
}

/** The most zeros at the start of a text that do not count: a spreadsheet makes `123` of `00123`. */
const ZEROS = 8;

/** SQL: fields as JSON, without the zeros at the start of each text. */
function withoutZeros(fields: SQL): SQL {
  return Array.from({ length: ZEROS }).reduce<SQL>((text) => sql`replace(${text}, '":"0', '":"')`, fields);
}

/** The condition that a record of the owner has the `sameKey` of one of these; an index answers it. */
function hasKeyOf(owner: Owner, rows: readonly ContentRow[]): SQL {
  const keys = JSON.stringify([...new Set(rows.map(({ same_key }) => same_key))]);
  return sql`user_id = ${owner} AND same_key IN (SELECT value FROM json_each(${keys})) AND ${IS_LIVE}`;
}

/**
 * The condition that the owner has a record of which `value` is a duplicate (`maySayMore`, `withoutZeros`), which is
 * one of `rows`. It is never NULL, so it can be negated: for `NOT ((…) IN (SELECT …))` SQLite walks the whole set for
 * each value to distinguish false from NULL.
 */
export function isDuplicate(kind: Kind, owner: Owner, rows: readonly ContentRow[]): SQL {
  const columns = ["same_key", ...columnsBesideKey(kind)];
  const logged = sql.raw(columns.join(", "));
  const sent = sql.raw(columns.map((name) => `value ->> '${name}'`).join(", "));
  const sentFields = withoutZeros(sql`coalesce(value ->> 'sent', value ->> 'fields')`);
  // One set for all values: a look-up for each would read equal records as often as the file has them. As JSON, NULL equals
  // NULL. `|| ''` makes text of what `json_remove` returns, as `fields` is text: inside `json_array` they would differ.
  const poorer = maySayMore(kind).map(
    ({
      path,
    }) => sql` UNION ALL SELECT json_array(${logged}, ${withoutZeros(sql`(json_remove(fields, ${path}) || '')`)}) FROM logged
      WHERE fields ->> ${path} IS NOT NULL`,
  );
  return sql`(json_array(${sent}, ${sentFields}) IN (WITH logged AS MATERIALIZED (SELECT ${logged}, fields FROM ${records}
      WHERE ${hasKeyOf(owner, rows)})
    SELECT json_array(${logged}, ${withoutZeros(sql`fields`)}) FROM logged ${sql.join(poorer)})) IS TRUE`;
}

const LEADING_ZEROS = new RegExp(`(?<=":")0{1,${ZEROS}}`, "g");

/** The positions of new records that are duplicates of an earlier one of the list, by the rule of `isDuplicate`. */
export function duplicatesIn(kind: Kind, list: readonly { values: object }[]): Set<number> {
  const columns = columnsBesideKey(kind);
  const seen = new Set<string>();
  const duplicates = new Set<number>();
  for (const [index, { values }] of list.entries()) {
    const row = contentRow(kind, values);
    const same = [row.same_key, ...columns.map((name) => row[name])];
    const { details = {}, ...fields } = row.fields;
    const without = (left: readonly Detail[]) => {
      const rest = Object.entries(details).filter(([name]) => !left.some((detail) => detail.name === name));
      return JSON.stringify([...same, fields, Object.fromEntries(rest)]).replace(LEADING_ZEROS, "");
    };
    const whole = without([]);
    if (seen.has(whole)) duplicates.add(index);
    seen.add(whole);
    for (const { details } of maySayMore(kind)) seen.add(without(details));
  }
  return duplicates;
}

/** How many records each warning about a save names: the warnings are stored in a cookie. */
export const WARNED_MAX = 3;

/**
 * The query for the oldest of the records that an owner's log has several times, of those in `list`, by `sameKey` and the
 * place as it is typed.
 */
function findDuplicates<Values extends object>(db: Db, owner: Owner, kind: Kind<ShownRecord, Values>, list: Values[]) {
  const rows = list.map((values) => contentRow(kind, values));
  const sent = JSON.stringify(rows.map(({ same_key, location }) => [same_key, location]));
  return db
    .select({ id: sql<number>`min(id)`.as("id"), date: records.date })
    .from(records)
    .where(
      // Compared as JSON, in which NULL equals NULL.
      sql`${hasKeyOf(owner, rows)} AND json_array(same_key, location) IN
        (SELECT json_array(value ->> 0, value ->> 1) FROM json_each(${sent}))`,
    )
    .groupBy(sql`same_key, location`)
    .having(sql`count(*) > 1`)
    .orderBy(records.date, records.location, records.method, records.hours)
    .limit(WARNED_MAX);
}

export type Duplicate = Awaited<ReturnType<typeof findDuplicates>>[number];
