import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { isLastPart, PART_ROWS } from "#app/db/parts.server.ts";
import type { Detail } from "#app/records/details.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { type AnyRecord, dateOf, type Field, isExperience, type Kind } from "#app/records/kind.ts";
import type { Cursor } from "#app/records/queries.server.ts";
import { BYTES_OF_RECORD, listRecords } from "#app/records/queries.server.ts";
import { headingOf } from "#app/server/csv.ts";
import { downloadTable, type TableType } from "#app/server/table-file.server.ts";
import type { Cell } from "#app/server/xlsx.ts";
import { fieldsOf, isMethod } from "./columns.ts";

/** Sorts before every record. */
const START: Cursor = { date: "", id: 0 };

/** The columns that say who verified a record. An import ignores them. */
const VERIFICATION = ["Verified by", "Verified at", "Verified via"];

/**
 * All of the signed-in user's records of a kind as CSV or as a workbook, oldest first, by date and id.
 * @throws as `requireUser`
 */
export async function exportRecords(context: AppLoadContext, kind: Kind, type: TableType): Promise<Response> {
  const { db, timeZone, now } = context;
  const { user, first } = await requireUser(context, (owner, db) => ({
    first: recordsAfter(db, owner, kind, START),
  }));
  const name = isExperience(kind) ? `${kind.texts.hours}-hours`.toLowerCase() : kind.listName;
  const fields = fieldsOf(kind);
  return downloadTable(context, `${name}-${toCalendarDate(timeZone, now)}`, type, {
    columns: [...fields.map(({ name }) => headingOf(name)), ...VERIFICATION],
    dates: new Set(fields.flatMap((field, index) => ("type" in field && isDay(field) ? [index] : []))),
    pages: cellPages(db, user.id, kind, first),
  });
}

function isDay({ type }: Field): boolean {
  return type === "date" || type === "expiry";
}

async function* cellPages(db: Db, owner: Owner, kind: Kind, first: AnyRecord[]): AsyncGenerator<Cell[][]> {
  const fields = fieldsOf(kind);
  for await (const page of recordPages(db, owner, kind, first)) yield page.map((record) => cellsOf(fields, record));
}

/** A user's records of a kind, oldest first, a part at a time. `first` is the first part, if it was read already. */
export async function* recordPages(db: Db, owner: Owner, kind: Kind, first?: AnyRecord[]): AsyncGenerator<AnyRecord[]> {
  let page = first ?? (await recordsAfter(db, owner, kind, START));
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (!last || isLastPart(page)) return;
    page = await recordsAfter(db, owner, kind, { date: dateOf(kind, last), id: last.id });
  }
}

function recordsAfter(db: Db, owner: Owner, kind: Kind, after: Cursor) {
  return listRecords<AnyRecord>(db, owner, kind, { after, limit: PART_ROWS, bytes: BYTES_OF_RECORD });
}

function cellsOf(fields: ReturnType<typeof fieldsOf>, record: AnyRecord): Cell[] {
  const { verifiedBy, verifiedAt, verifiedVia } = record;
  return [
    ...fields.map((field) => cellOf(field, record[field.name] ?? record.details?.[field.name])),
    verifiedBy,
    verifiedAt?.toISOString() ?? null,
    verifiedVia,
  ];
}

function cellOf(field: Field | Detail, value: AnyRecord[string] | undefined): Cell {
  if (typeof value === "boolean") return value ? "yes" : null;
  if ("type" in field && field.type === "method" && typeof value === "string" && isMethod(value))
    return methodLabel(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
