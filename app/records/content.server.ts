import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db, Owner } from "#app/db/client.server.ts";
import { LEVELS, type Level, type Method } from "#app/db/enumerations.ts";
import { rowBytes, storing } from "#app/db/stored-bytes.server.ts";
import type { Detail, Details } from "./details.ts";
import type { AnyRecord, Content, Kind, RecordWithOwner, ShownRecord, Stored } from "./kind.ts";
import { columnsOf, IS_LIVE, type RowQuery } from "./queries.server.ts";
import { CONTENT, records } from "./records.table.ts";

/* The verified content of a record, as the table holds it: how it is made, compared with what was read, and changed. */

export const CONTENT_COLUMNS = Object.entries(CONTENT) as [Stored, SQLiteColumn][];

/** Returns the verified content of a record by the columns of the table, from its fields as typed or as read. */
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
    revokedOn: null,
    revokedReason: null,
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
 * The key that the same records have in common (`Kind.identity`), as 128 bits of a hash. It is stored with the
 * record. Two places are the same if they differ in case, in spaces and in how an accent is encoded.
 */
export function sameKey(kind: Kind, values: object): string {
  const given = values as { [field: string]: unknown };
  const same = kind.identity.map((name) =>
    name === "location" ? plainPlace(String(given[name])) : (given[name] ?? null),
  );
  const hash = createHash("sha256").update(JSON.stringify([kind.name, ...same]));
  return hash.digest("base64url").slice(0, 22);
}

function plainPlace(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** The content of a record by the names of the columns, as `insertStatement` and `isDuplicate` (save.server.ts) take it. */
export interface ContentRow {
  date: string;
  fields: Content["fields"];
  search: string;
  /** The `fields` as they were sent, by which `isDuplicate` compares, if the level worked as may have been filled in since. */
  sent?: Content["fields"];
  same_key: string;
  /** The other columns, as the database holds them. */
  [column: string]: unknown;
}

/**
 * As JSON, SQLite finds in it what it stores: `->>` makes text of `fields`. As text in JSON it could be twice as long, and D1
 * allows no value over 2 MB.
 */
export function contentRow<Values extends object>(kind: Kind<ShownRecord, Values>, values: Values): ContentRow {
  const { date, fields, ...content } = contentOf(kind, values);
  const others = CONTENT_COLUMNS.flatMap(([stored, column]) => {
    if (stored === "date" || stored === "fields") return [];
    const value = content[stored];
    return [[column.name, value === null ? null : column.mapToDriverValue(value)]];
  });
  const row = { date, fields, search: kind.search(values), same_key: sameKey(kind, values) };
  return { ...Object.fromEntries(others), ...row };
}

/** The statement that changes the content of a record, which was read before, and returns it. */
export function updateContent(db: Db, kind: Kind, before: RecordWithOwner, values: object): RowQuery<AnyRecord> {
  const query = db
    .update(records)
    .set({
      ...contentOf(kind, values),
      search: kind.search(values),
      sameKey: sameKey(kind, values),
      declinedAt: null,
    })
    .where(sql`id = ${before.id}`)
    .returning(columnsOf(kind));
  storing(query, before.userId, recordBytes(contentRow(kind, values)) - recordBytes(contentRow(kind, before)));
  return query as unknown as RowQuery<AnyRecord>; // as in `selectRecords`
}

/** The statement that changes what may change of a verified record (`Field.isLater`), which was read before, and returns it. */
export function updateLater(db: Db, kind: Kind, before: RecordWithOwner, values: object): RowQuery<AnyRecord> {
  const { revokedOn, revokedReason } = contentOf(kind, values);
  const query = db
    .update(records)
    .set({ revokedOn, revokedReason })
    .where(sql`id = ${before.id}`)
    .returning(columnsOf(kind));
  storing(query, before.userId, recordBytes(contentRow(kind, values)) - recordBytes(contentRow(kind, before)));
  return query as unknown as RowQuery<AnyRecord>; // as in `selectRecords`
}

/** The bytes that a record takes of its account (stored-bytes.server.ts). */
function recordBytes({ location, fields, search, revoked_reason: reason }: ContentRow): number {
  return rowBytes(location as string | null, fields, search, reason as string | null); // `contentRow` has these as text
}

/** The bytes that new records take of their account. */
export function recordsBytes(rows: readonly ContentRow[]): number {
  return rows.reduce((sum, row) => sum + recordBytes(row), 0);
}

/* The level worked as, which a new record gets from the technician's certificates. */

/** The detail that a new record of a kind gets from the technician's certificates, if its kind has one. */
export function detailFromCertificate({ details }: Kind): Detail | undefined {
  return details.find(({ isFilled }) => isFilled);
}

/** The most certificates of methods that are read: each of 500 entries is compared with all of them. */
const HELD_MAX = 200;

/** The query for the verified certificates in a method, those first that were issued last. An index holds no others. */
export function heldLevels(db: Db, owner: Owner) {
  return db
    .select({
      method: sql<Method>`method`.as("method_code"),
      level: sql<Level>`level`.as("level_code"),
      date: sql<string>`date`.as("first_day"),
      // One that was revoked was valid until the day before.
      endDate: sql<
        string | null
      >`iif(revoked_on IS NULL, end_date, min(coalesce(end_date, '9999'), date(revoked_on, '-1 day')))`.as("last_day"),
    })
    .from(sql`${records} INDEXED BY records_held`)
    .where(sql`user_id = ${owner} AND ${IS_LIVE} AND kind = 'certificate' AND subtype = 'certificate' AND verified = 1
      AND method IS NOT NULL AND level <> 'Trainee'`)
    .orderBy(sql`date DESC`)
    .limit(HELD_MAX);
}

/** The certificates of `heldLevels`. */
export type Held = Awaited<ReturnType<typeof heldLevels>>;

/**
 * A new record as a technician logs it. Without a level worked as it gets the highest one of the certificates in its method that
 * were valid on its day, else *Trainee*. Hours of earlier years were worked as more than one, so they get none.
 */
export function filledRow<Values extends object>(
  kind: Kind<ShownRecord, Values>,
  values: Values,
  held: Held,
): ContentRow {
  const row = contentRow(kind, values);
  const name = detailFromCertificate(kind)?.name;
  const details = (row.fields.details ?? {}) as Details; // stored as `contentOf` makes it
  if (!name || details[name] || row.brought_forward) return row;
  const valid = held.filter(
    ({ method, date, endDate }) =>
      method === row.method && date <= row.date && (endDate === null || endDate >= row.date),
  );
  const level = LEVELS.findLast((one) => valid.some(({ level }) => level === one)) ?? "Trainee";
  const given = { ...details, [name]: level };
  // In the order of the kind, which the record's hash does not depend on.
  const filled = Object.fromEntries(
    kind.details.flatMap(({ name }): [string, string][] => (given[name] ? [[name, given[name]]] : [])),
  );
  return contentRow(kind, { ...values, details: filled });
}
