import { createHash } from "node:crypto";
import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import { ATTEMPTS, backOff } from "#app/db/conflict.server.ts";
import type { Execute } from "#app/db/execute.ts";
import { eventFacts, verificationLog } from "#app/db/schema.ts";
import { type AnyRecord, KINDS, type Kind } from "#app/records/kinds.ts";
import { columnsOf } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ChainCheck, type Fault, predatesLog } from "./chain.server.ts";
import { isOlder, type StoredEvent } from "./event-hash.server.ts";

type Row = Record<string, string | number | null>;

export interface Report {
  lines: number;
  /** Those of them whose facts are erased. */
  erased: number;
  /** The number of records with a log. */
  chains: number;
  verified: number;
  /** Those of them that were verified before the log existed. */
  older: number;
  /**
   * SHA-256 over the last hash of every chain, every event that has no hash of its facts, and every verified record with
   * its owner and verifier. If you keep it, you can see later whether the past was changed. Erasing facts does not change it.
   */
  digest: string;
  faults: number;
}

const PAGE = 1_000;

/**
 * Checks the log of every record, deleted ones included, and compares each verified record with its log. It reads both in
 * pages, to limit memory, and passes each fault to `tell`. The app may run meanwhile: a record that looks faulty is read
 * again by itself.
 */
export async function checkLog(
  execute: Execute,
  tell: (kind: Kind | null, id: number | null, fault: Fault) => void,
): Promise<Report> {
  const [whole] = await rows(
    execute,
    `SELECT (SELECT max(id) FROM verification_log) AS top,
      (SELECT seq FROM sqlite_sequence WHERE name = 'verification_log') AS written,
      (SELECT at FROM verification_log WHERE id = (SELECT min(id) FROM verification_log)) AS began,
      (SELECT min(id) FROM verification_log WHERE facts_hash IS NOT NULL) AS committed`,
  );
  const top = Number(whole?.top ?? 0);
  const began = whole?.began == null ? null : new Date(Number(whole.began));
  // From this id on every event has a hash of its facts.
  const committed = Number(whole?.committed ?? Number.POSITIVE_INFINITY);
  const digest = createHash("sha256");
  const report = { lines: 0, erased: 0, chains: 0, verified: 0, older: 0, digest: "", faults: 0 };
  const wrong = (kind: Kind | null, id: number | null, fault: Fault) => {
    report.faults += 1;
    tell(kind, id, fault);
  };

  for (const kind of KINDS) {
    const lines = new Walk((last: CheckedEvent | null) => eventsAfter(execute, kind, last, top));
    const records = new Walk((last: AnyRecord | null) => recordsAfter(execute, kind, last));
    await Promise.all([lines.next(), records.next()]);
    while (lines.at || records.at) {
      const id = Math.min(lines.at?.recordId ?? Number.POSITIVE_INFINITY, records.at?.id ?? Number.POSITIVE_INFINITY);
      const check = new ChainCheck();
      let count = 0;
      while (lines.at?.recordId === id) {
        const event = lines.at;
        check.add(event, event.id > committed);
        count += 1;
        if (isOlder(event)) digest.update(`${JSON.stringify({ ...event, userId: null, salt: null, facts: null })}\n`);
        await lines.next();
      }
      const record = records.at?.id === id ? records.at : null;
      if (record) await records.next();
      if (count > 0) {
        report.chains += 1;
        report.lines += count;
        report.erased += check.erased;
        digest.update(`${kind.name} ${id} ${count} ${check.last}\n`);
      }
      if (record?.verified) {
        report.verified += 1;
        if (predatesLog(record, count, began)) report.older += 1;
        // No event has the record's owner, an erased one no verifier, and a record older than the log has no event.
        const { userId, verifiedBy, verifiedAt } = record;
        digest.update(`${JSON.stringify([kind.name, id, userId, recordHash(kind, record), verifiedBy, verifiedAt])}\n`);
      }
      if (check.end(kind, record, began).length === 0) continue;
      for (const fault of await recheck(execute, kind, id, began, committed)) wrong(kind, id, fault);
    }
  }
  // Ids have no gaps, even after a refused batch, so the highest one is the number of events.
  const written = Math.max(top, Number(whole?.written ?? 0));
  if (report.lines !== written) {
    wrong(null, null, { line: null, text: `${written} events were written, but there are ${report.lines}` });
  }
  return { ...report, digest: digest.digest("hex") };
}

/** Iterates over a list that is read in pages. */
class Walk<Item> {
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

type CheckedEvent = StoredEvent & { id: number };

/** The columns of a `CheckedEvent`, each with a name of its own. */
const EVENT_COLUMNS = (() => {
  const { userId, salt, facts } = getTableColumns(eventFacts);
  return { ...getTableColumns(verificationLog), userId, salt, facts };
})();

const EVENTS = "SELECT * FROM verification_log LEFT JOIN event_facts ON event_id = id";

async function eventsAfter(
  execute: Execute,
  kind: Kind,
  last: CheckedEvent | null,
  top: number,
): Promise<CheckedEvent[]> {
  const found = await rows(
    execute,
    `${EVENTS} WHERE record_kind = '${kind.name}'
      AND (record_id, number) > (${last?.recordId ?? 0}, ${last?.number ?? 0}) AND id <= ${top}
      ORDER BY record_id, number LIMIT ${PAGE}`,
  );
  return found.map((row) => fromDriver<CheckedEvent>(EVENT_COLUMNS, row));
}

async function recordsAfter(execute: Execute, kind: Kind, last: AnyRecord | null): Promise<AnyRecord[]> {
  const found = await rows(
    execute,
    `SELECT ${columnList(kind)} FROM ${getTableName(kind.table)} WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${PAGE}`,
  );
  return found.map((row) => fromDriver<AnyRecord>(columnsOf(kind), row));
}

/**
 * The faults of one record and its log, read consistently: the record is the same before and after reading its log. If it
 * changes during every attempt, that is reported as a fault.
 */
async function recheck(
  execute: Execute,
  kind: Kind,
  id: number,
  began: Date | null,
  committed: number,
): Promise<Fault[]> {
  const read = () => rows(execute, `SELECT ${columnList(kind)} FROM ${getTableName(kind.table)} WHERE id = ${id}`);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const before = await read();
    const check = new ChainCheck();
    const sql = `${EVENTS} WHERE record_kind = '${kind.name}' AND record_id = ${id} ORDER BY number`;
    for (const row of await rows(execute, sql)) {
      const event = fromDriver<CheckedEvent>(EVENT_COLUMNS, row);
      check.add(event, event.id > committed);
    }
    const [record] = before;
    if (JSON.stringify(before) === JSON.stringify(await read())) {
      return check.end(kind, record ? fromDriver<AnyRecord>(columnsOf(kind), record) : null, began);
    }
  }
  return [{ line: null, text: "it changed during every attempt, so check it again" }];
}

async function rows(execute: Execute, sql: string): Promise<Row[]> {
  return (await execute(sql)) as Row[]; // SQLite has no other types except blobs, which these tables do not contain
}

function columnList(kind: Kind): string {
  return Object.values(columnsOf(kind))
    .map(({ name }) => name)
    .join(", ");
}

/**
 * A row of the database as Drizzle would read it: Drizzle itself is not used for the statements here, because `wrangler`
 * runs SQL without bindings.
 */
function fromDriver<Result>(columns: Record<string, Column>, row: Row): Result {
  const values = Object.entries(columns).map(([field, column]) => {
    const value = row[column.name] ?? null;
    return [field, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(values) as Result; // the columns are those of the row type
}
