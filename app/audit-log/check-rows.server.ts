import { type Column, getTableColumns } from "drizzle-orm";
import type { Execute } from "#app/db/execute.ts";
import { eventFacts, verificationLog } from "#app/db/schema.ts";
import { type KindAndRecord, recordFromRow } from "#app/records/queries.server.ts";
import { type RecordRow, records } from "#app/records/records.table.ts";
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

/** The page of events after `last`, by record and number, without those after the id `top`. */
export function eventsAfter(execute: Execute, last: CheckedEvent | null, top: number) {
  return read<CheckedEvent>(
    execute,
    EVENT_COLUMNS,
    `${EVENTS} WHERE (record_id, number) > (${last?.recordId ?? 0}, ${last?.number ?? 0}) AND id <= ${top}
      ORDER BY record_id, number LIMIT ${PAGE}`,
  );
}

export function eventsOf(execute: Execute, id: number): Promise<CheckedEvent[]> {
  return read<CheckedEvent>(execute, EVENT_COLUMNS, `${EVENTS} WHERE record_id = ${id} ORDER BY number`);
}

/** The page of records after `last`, by id, with those that their owner can still restore. */
export function recordsAfter(execute: Execute, last: KindAndRecord | null): Promise<KindAndRecord[]> {
  return readRecords(execute, `id > ${last?.record.id ?? 0} ORDER BY id LIMIT ${PAGE}`);
}

export async function recordById(execute: Execute, id: number): Promise<KindAndRecord | null> {
  const [record] = await readRecords(execute, `id = ${id}`);
  return record ?? null;
}

async function readRecords(execute: Execute, where: string): Promise<KindAndRecord[]> {
  const rows = await read<RecordRow & { owner: string }>(
    execute,
    getTableColumns(records),
    `SELECT *, (SELECT lower(hex(owner)) FROM users WHERE users.id = records.user_id) AS owner
      FROM records WHERE ${where}`,
  );
  return rows.map((row) => recordFromRow({ ...row, status: "pending" })); // a check does not compare the status
}

/** Rows as Drizzle would read them; a column that Drizzle does not know stays as it is. */
async function read<Result>(execute: Execute, columns: Record<string, Column>, sql: string): Promise<Result[]> {
  const found = (await execute(sql)) as Row[]; // SQLite has no other types except blobs, which these tables do not contain
  return found.map((row) => {
    const values = Object.entries(columns).map(([field, column]) => {
      const value = row[column.name] ?? null;
      return [field, value === null ? null : column.mapFromDriverValue(value)];
    });
    return { ...row, ...Object.fromEntries(values) } as Result; // the columns are those of the row type
  });
}
