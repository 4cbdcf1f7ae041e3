import { type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { CONTENT_COLUMNS, type NewRow, newRow, storedContent } from "./content.server.ts";
import type { Detail, Details } from "./details.ts";
import type { Field, Kind, ShownRecord } from "./kind.ts";
import { isOwn } from "./queries.server.ts";
import { records } from "./records.table.ts";
import { detailFromCertificate, pathOf, withoutEmptyPlace } from "./worked-as.server.ts";

/* When two records are the same: equal ones, which an import skips, and those that a save warns of. */

/**
 * What a record can say that the row of an import, which equals it, does not: all of its details, or the level worked as
 * alone. Upper and lower case of the letters A to Z of the place count as equal too.
 */
function maySayMore(kind: Kind): { path: SQL; details: readonly Detail[] }[] {
  const detail = detailFromCertificate(kind);
  return [
    { path: pathOf(), details: kind.details },
    ...(detail ? [{ path: pathOf(detail.name), details: [detail] }] : []),
  ];
}

/**
 * The condition that the owner has a record of the kind that equals `json_each.value` (`maySayMore`), which is one of `rows`.
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
  const detail = detailFromCertificate(kind);
  const sent = list((name) => `value ->> '${name}'`, detail ? withoutEmptyPlace(detail) : sql`value ->> 'fields'`);
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
export function findTwins<Values extends object>(
  db: Db,
  owner: Owner,
  kind: Kind<ShownRecord, Values>,
  list: Values[],
) {
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
