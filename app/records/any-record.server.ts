import { and, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { KINDS, kindNamed } from "./all-kinds.ts";
import type { AnyRecord, Kind, RecordWithOwner } from "./kind.ts";
import { commonColumns, HASHED_WITH, IS_LIVE, mayBeAsked } from "./queries.server.ts";
import { CONTENT, records } from "./records.table.ts";

/* Reads records of several kinds in one query. Code for a single kind uses queries.server.ts, and so loads no other. */

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

/** The condition that none can be asked about a record of any kind. No query plans by it: those records are few. */
export function isKeptForOwner(): SQL {
  const kinds = KINDS.filter(({ unasked }) => unasked);
  return sql`(0 ${sql.join(kinds.map((kind) => sql`OR (kind = ${kind.name} AND NOT (${mayBeAsked(kind)}))`))})`;
}
