import { createHash } from "node:crypto";
import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import { ATTEMPTS, backOff } from "#app/db/conflict.server.ts";
import { verificationLog } from "#app/db/schema.ts";
import { type AnyRecord, KINDS, type Kind } from "#app/records/kinds.ts";
import { columnsOf } from "#app/records/queries.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import { ChainCheck, type Fault, isOlder, type Line } from "./chain.server.ts";

type Row = Record<string, string | number | null>;

/** Runs one statement and returns its rows, here or on Cloudflare. */
export type Execute = (sql: string) => Promise<Record<string, unknown>[]>;

/** What the whole log came to. */
export interface Report {
  lines: number;
  /** Records that have lines. */
  chains: number;
  verified: number;
  /** Of those, the ones that were verified before there was a log. */
  older: number;
  /**
   * SHA-256 over the last hash of every chain and over every verified record with its owner: whoever has noted it sees whether
   * the past was changed since.
   */
  digest: string;
  faults: number;
}

/** So many rows are read at a time: of the lines, and of the records. */
const PAGE = 1_000;

/**
 * Checks the log of every record, there or gone, and each verified record against its log. It walks along both by
 * pages, so it keeps no more of them than a page; `tell` hears of each fault. People may go on working: what looks
 * wrong is looked at once more, by itself.
 */
export async function checkLog(
  execute: Execute,
  tell: (kind: Kind | null, id: number | null, fault: Fault) => void,
): Promise<Report> {
  const [whole] = await rows(
    execute,
    `SELECT (SELECT max(id) FROM verification_log) AS top,
      (SELECT seq FROM sqlite_sequence WHERE name = 'verification_log') AS written,
      (SELECT at FROM verification_log WHERE id = (SELECT min(id) FROM verification_log)) AS began`,
  );
  const top = Number(whole?.top ?? 0);
  const began = whole?.began == null ? null : new Date(Number(whole.began));
  const digest = createHash("sha256");
  const report = { lines: 0, chains: 0, verified: 0, older: 0, digest: "", faults: 0 };
  const wrong = (kind: Kind | null, id: number | null, fault: Fault) => {
    report.faults += 1;
    tell(kind, id, fault);
  };

  for (const kind of KINDS) {
    const lines = new Walk((last: Line | null) => linesBehind(execute, kind, last, top));
    const records = new Walk((last: AnyRecord | null) => recordsBehind(execute, kind, last));
    await Promise.all([lines.next(), records.next()]);
    while (lines.at || records.at) {
      const id = Math.min(lines.at?.recordId ?? Number.POSITIVE_INFINITY, records.at?.id ?? Number.POSITIVE_INFINITY);
      const check = new ChainCheck();
      let count = 0;
      while (lines.at?.recordId === id) {
        check.add(lines.at);
        count += 1;
        await lines.next();
      }
      const record = records.at?.id === id ? records.at : null;
      if (record) await records.next();
      if (count > 0) {
        report.chains += 1;
        report.lines += count;
        digest.update(`${kind.name} ${id} ${count} ${check.last}\n`);
      }
      if (record?.verified) {
        report.verified += 1;
        if (isOlder(record, count, began)) report.older += 1;
        // No line tells whose a record is, and an older one has none.
        digest.update(`${kind.name} ${id} of ${record.userId} ${recordHash(kind, record)}\n`);
      }
      if (check.end(kind, record, began).length === 0) continue;
      for (const fault of await lookAgain(execute, kind, id, began)) wrong(kind, id, fault);
    }
  }
  // Every line ever written has the next id, also where a change was refused in between; so none may be missing.
  const written = Math.max(top, Number(whole?.written ?? 0));
  if (report.lines !== written) {
    wrong(null, null, { line: null, text: `${written} lines were written, and ${report.lines} are there` });
  }
  return { ...report, digest: digest.digest("hex") };
}

/** Goes along a list that comes in pages. */
class Walk<Item> {
  /** Where it is; null behind the end. */
  at: Item | null = null;
  readonly #behind: (last: Item | null) => Promise<Item[]>;
  #page: Item[] = [];
  #place = 0;

  constructor(behind: (last: Item | null) => Promise<Item[]>) {
    this.#behind = behind;
  }

  async next(): Promise<void> {
    if (this.#place === this.#page.length) {
      this.#page = await this.#behind(this.at);
      this.#place = 0;
    }
    this.at = this.#page[this.#place] ?? null;
    this.#place += 1;
  }
}

async function linesBehind(execute: Execute, kind: Kind, last: Line | null, top: number): Promise<Line[]> {
  const found = await rows(
    execute,
    `SELECT * FROM verification_log WHERE record_kind = '${kind.name}'
      AND (record_id, number) > (${last?.recordId ?? 0}, ${last?.number ?? 0}) AND id <= ${top}
      ORDER BY record_id, number LIMIT ${PAGE}`,
  );
  return found.map((row) => fromDriver<Line>(getTableColumns(verificationLog), row));
}

async function recordsBehind(execute: Execute, kind: Kind, last: AnyRecord | null): Promise<AnyRecord[]> {
  const found = await rows(
    execute,
    `SELECT ${columnList(kind)} FROM ${getTableName(kind.table)} WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${PAGE}`,
  );
  return found.map((row) => fromDriver<AnyRecord>(columnsOf(kind), row));
}

/**
 * The faults of one record and its log as they are together: the record is the same before and after its log was read.
 * One that is changed at every attempt is a fault itself, since nobody can tell.
 */
async function lookAgain(execute: Execute, kind: Kind, id: number, began: Date | null): Promise<Fault[]> {
  const read = () => rows(execute, `SELECT ${columnList(kind)} FROM ${getTableName(kind.table)} WHERE id = ${id}`);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const before = await read();
    const check = new ChainCheck();
    const sql = `SELECT * FROM verification_log WHERE record_kind = '${kind.name}' AND record_id = ${id} ORDER BY number`;
    for (const row of await rows(execute, sql)) check.add(fromDriver<Line>(getTableColumns(verificationLog), row));
    const [record] = before;
    if (JSON.stringify(before) === JSON.stringify(await read())) {
      return check.end(kind, record ? fromDriver<AnyRecord>(columnsOf(kind), record) : null, began);
    }
  }
  return [{ line: null, text: "it was changed each time that it was looked at, so check it again" }];
}

async function rows(execute: Execute, sql: string): Promise<Row[]> {
  return (await execute(sql)) as Row[]; // SQLite knows nothing else, and these tables hold no blobs
}

/** The columns of a record, as a statement lists them. */
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
