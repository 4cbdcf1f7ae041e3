import { type SQL, sql } from "drizzle-orm";
import { type NewRow, newRow } from "./content.server.ts";
import type { Detail, Details } from "./details.ts";
import type { Kind, ShownRecord, Stored } from "./kind.ts";
import { IS_LIVE } from "./queries.server.ts";
import { records } from "./records.table.ts";

/* The level at which somebody worked, which a new record gets from the technician's certificates. */

/** The detail that a new record of a kind gets from the technician's certificates, if its kind has one. */
export function detailFromCertificate({ details }: Kind): Detail | undefined {
  return details.find(({ isFilled }) => isFilled);
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

/** The path of a detail in `fields`, or of all of them. */
export function pathOf(detail?: string): SQL {
  return sql.raw(detail ? `'$.details.${detail}'` : "'$.details'");
}

/**
 * The columns with the detail for the empty place of `loggedRow`: the highest level of the verified certificates in that method
 * that were valid on that day, else *Trainee* (product, "Details").
 */
export function filledColumns(userId: number, detail: Detail): [Stored, SQL][] {
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

/** The `fields` of `json_each.value` as its sender gave them: the empty place of `loggedRow` says nothing. */
export function withoutEmptyPlace(detail: Detail): SQL {
  const path = pathOf(detail.name);
  const isAlone = sql`value ->> '$.fields.details' = ${sql.raw(`'{"${detail.name}":null}'`)}`;
  return sql`iif(${isUnfilled(detail)}, json_remove(value -> 'fields', iif(${isAlone}, ${pathOf()}, ${path})) || '',
    value ->> 'fields')`;
}
