import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import type { Execute } from "#app/db/execute.ts";
import { eventFacts, verificationLog } from "#app/db/schema.ts";
import type { AnyRecord, Kind } from "#app/records/kinds.ts";
import { storedColumnsOf } from "#app/records/queries.server.ts";
import type { StoredEvent } from "./event-hash.server.ts";

/*
 * Reads what the check of the log compares, in pages to limit memory. Drizzle itself is not used for the statements,
 * because `wrangler` runs SQL without bindings.
 */

type Row = Record<string, string | number | null>;

const PAGE = 1_000;

/** Iterates over a list that is read in pages. */
export class Walk<Item> {
  /** The current item; null after the end. */
  at: Item | null = null;
  readonly #readAfter: (last: Item | null) => Promise<Item[]>;
  #page: Item[] = [];
  #index = 0;

  constructor(readAfter: (last: Item | null) => Promise<Item[]>) {
    this.#readAfter = readAfter;
  }

  async next(): Promise<void> {
    if (this.#index === this.#page.length) {
      this.#page = await this.#readAfter(this.at);
      this.#index = 0;
    }
    this.at = this.#page[this.#index] ?? null;
    this.#index += 1;
  }
}

/** An event with the id that counts the events of all records. */
export type CheckedEvent = StoredEvent & { id: number };

const { userId, salt, facts } = getTableColumns(eventFacts);
const EVENT_COLUMNS = { ...getTableColumns(verificationLog), userId, salt, facts };

const EVENTS = "SELECT * FROM verification_log LEFT JOIN event_facts ON event_id = id";

/** The page of events of a kind's records after `last`, by record and number, without those after the id `top`. */
export function eventsAfter(execute: Execute, kind: Kind, last: CheckedEvent | null, top: number) {
  return read<CheckedEvent>(
    execute,
    EVENT_COLUMNS,
    `${EVENTS} WHERE record_kind = '${kind.name}'
      AND (record_id, number) > (${last?.recordId ?? 0}, ${last?.number ?? 0}) AND id <= ${top}
      ORDER BY record_id, number LIMIT ${PAGE}`,
  );
}

export function eventsOf(execute: Execute, kind: Kind, id: number): Promise<CheckedEvent[]> {
  const where = `record_kind = '${kind.name}' AND record_id = ${id} ORDER BY number`;
  return read<CheckedEvent>(execute, EVENT_COLUMNS, `${EVENTS} WHERE ${where}`);
}

/** The page of records after `last`, by id. */
export function recordsAfter(execute: Execute, kind: Kind, last: AnyRecord | null): Promise<AnyRecord[]> {
  return readRecords(execute, kind, `id > ${last?.id ?? 0} ORDER BY id LIMIT ${PAGE}`);
}

export async function recordById(execute: Execute, kind: Kind, id: number): Promise<AnyRecord | null> {
  const [record] = await readRecords(execute, kind, `id = ${id}`);
  return record ?? null;
}

function readRecords(execute: Execute, kind: Kind, where: string): Promise<AnyRecord[]> {
  const columns = Object.values(storedColumnsOf(kind)).map(({ name }) => name);
  const sql = `SELECT ${columns.join(", ")} FROM ${getTableName(kind.table)} WHERE ${where}`;
  return read<AnyRecord>(execute, storedColumnsOf(kind), sql);
}

/** Rows as Drizzle would read them. */
async function read<Result>(execute: Execute, columns: Record<string, Column>, sql: string): Promise<Result[]> {
  const found = (await execute(sql)) as Row[]; // SQLite has no other types except blobs, which these tables do not contain
  return found.map((row) => {
    const values = Object.entries(columns).map(([field, column]) => {
      const value = row[column.name] ?? null;
      return [field, value === null ? null : column.mapFromDriverValue(value)];
    });
    return Object.fromEntries(values) as Result; // the columns are those of the row type
  });
}
