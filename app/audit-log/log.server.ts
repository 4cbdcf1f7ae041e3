import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Db, databaseMessage } from "#app/db/client.server.ts";
import { ATTEMPTS, backOff, TooManyConflictsError } from "#app/db/conflict.server.ts";
import type { LinkEnd, LogEvent } from "#app/db/enumerations.ts";
import { type LogRow, verificationLog } from "#app/db/schema.ts";
import { sha256 } from "#app/records/record-hash.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";

/*
 * The record of a verification: what happened on the way to it, a line an event. Lines are only ever added, which the
 * database enforces, and each carries the hash of the one before, so that a line altered, left out or put in by hand
 * breaks every hash behind it. The log refers to nobody's account and outlives it.
 *
 * The statement that adds a line belongs into the batch of the change that it tells of: the line and the change then
 * happen together or not at all. SQLite knows no SHA-256, so the last line is read first; when somebody else adds a
 * line meanwhile the database refuses the whole batch, and `retryOnConflict` does the work again from the read on.
 */

/** What `previous` is in a record's first line. */
export const FIRST = "0".repeat(64);

/** What a line says, beside its place in the chain. */
export interface EventFacts {
  event: LogEvent;
  at: Date;
  client?: Pick<Client, "address" | "browser">;
  /** Who was asked, as saved then. */
  supervisor?: Omit<Supervisor, "id"> | null;
  /** What the supervisor typed, in a line of `verified`. */
  name?: string;
  /** The account that was signed in when a supervisor confirmed, in a line of `verified`. */
  accountId?: number | null;
  /** Why the link ended, in a line of `withdrawn`. */
  cause?: LinkEnd;
  /** `recordHash` of the record at that moment. */
  recordHash: string;
}

export type LastEvent = Pick<LogRow, "number" | "hash">;
type Line = Omit<LogRow, "id">;

/** The statement that reads a record's last line: no row where nothing has happened yet. `id` may be an expression. */
export function lastEvent(db: Db, kind: string, id: number | SQL<number>) {
  return db
    .select({ number: verificationLog.number, hash: verificationLog.hash })
    .from(verificationLog)
    .where(and(eq(verificationLog.recordKind, kind), eq(verificationLog.recordId, id)))
    .orderBy(desc(verificationLog.number))
    .limit(1);
}

/** The statement that reads a record's whole log, the oldest line first. */
export function listEvents(db: Db, kind: string, id: number | SQL<number>) {
  const { id: _place, ...columns } = getTableColumns(verificationLog); // its place among the lines of all records
  return db
    .select(columns)
    .from(verificationLog)
    .where(and(eq(verificationLog.recordKind, kind), eq(verificationLog.recordId, id)))
    .orderBy(asc(verificationLog.number));
}

/** The statement that reads when the log got its first line of all: no row while it has none. */
export function firstEvent(db: Db) {
  return db
    .select({ at: verificationLog.at })
    .from(verificationLog)
    .where(sql`id = (SELECT min(id) FROM ${verificationLog})`);
}

/**
 * The statement that adds a line behind `last`, which `lastEvent` has read; `where` (`WHERE …`) may tie it to the
 * change that it tells of. It is refused where `last` is not the last one any more (see `retryOnConflict`).
 */
export function appendEvent(
  db: Db,
  { kind, id, last }: { kind: string; id: number; last: LastEvent | undefined },
  { event, at, client, supervisor, name, accountId, cause, recordHash }: EventFacts,
  where: SQL = sql``,
) {
  const line: Omit<Line, "hash"> = {
    recordKind: kind,
    recordId: id,
    number: (last?.number ?? 0) + 1,
    event,
    at,
    address: client?.address ?? null,
    browser: client?.browser ?? null,
    supervisor: supervisor ? supervisorText(supervisor) : null,
    name: name ?? null,
    cause: cause ?? null,
    accountId: accountId ?? null,
    recordHash,
    previous: last?.hash ?? FIRST,
  };
  return db.insert(verificationLog).select(
    sql`SELECT NULL, ${kind}, ${id}, ${line.number}, ${event}, ${at.getTime()}, ${line.address}, ${line.browser},
      ${line.supervisor}, ${line.name}, ${line.cause}, ${recordHash}, ${line.previous}, ${eventHash(line)}, ${line.accountId}
      ${where}`,
  );
}

/**
 * The hash that a line carries: SHA-256, in hexadecimal, of everything else in it, the hash of the line before
 * included. A line without an account hashes as lines did before accounts were noted, so old lines keep their hash.
 */
export function eventHash(line: Omit<Line, "hash">): string {
  return sha256([
    line.recordKind,
    line.recordId,
    line.number,
    line.event,
    line.at.getTime(),
    line.address,
    line.browser,
    line.supervisor,
    line.name,
    line.cause,
    line.recordHash,
    line.previous,
    ...(line.accountId === null ? [] : [line.accountId]),
  ]);
}

function supervisorText({ name, email, phone, certificationLevel, company }: Omit<Supervisor, "id">): string {
  return JSON.stringify({ name, email, phone, certificationLevel, company });
}

/** What the database says when a line does not follow the last one (migrations/0003_own_records.sql). */
const BEATEN = "a line of the verification log follows the last one";

/**
 * Does `work`, which reads a record with its last line and then writes behind both. If another request wrote first, the
 * database refuses the line, or `work` returns null because its statement found the record changed; the whole work is
 * then attempted again after a wait, `attempts` times in all.
 * @throws {TooManyConflictsError} 409 where that happened at every attempt
 */
export async function retryOnConflict<Result>(
  work: () => Promise<Result | null>,
  attempts = ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    try {
      const result = await work();
      if (result !== null) return result;
    } catch (error) {
      if (!databaseMessage(error)?.includes(BEATEN)) throw error;
    }
  }
  throw new TooManyConflictsError();
}
