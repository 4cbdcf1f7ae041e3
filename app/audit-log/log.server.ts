import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Db, databaseMessage } from "#app/db/client.server.ts";
import { ATTEMPTS, backOff, TooManyConflictsError } from "#app/db/conflict.server.ts";
import type { LinkEnd, LogEvent, Via } from "#app/db/enumerations.ts";
import { type LogRow, verificationLog } from "#app/db/schema.ts";
import { sha256 } from "#app/records/record-hash.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";

/*
 * The audit log: the events of each record's verification. The database allows only additions, and each event contains the
 * hash of the previous one, so an event that is altered, removed or inserted breaks all later hashes. The log does not
 * reference accounts and outlives them.
 *
 * An event is appended in the same batch as its change, so both are stored or neither. SQLite has no SHA-256, so the last
 * event is read first. If another request appends an event in between, the database refuses the batch, and
 * `retryOnConflict` retries the whole operation.
 */

/** `previous` of a record's first event. */
export const NO_PREVIOUS = "0".repeat(64);

/** The content of an event, without its position in the chain. */
export interface EventFacts {
  event: LogEvent;
  at: Date;
  client?: Pick<Client, "address" | "browser">;
  /** The supervisor as saved when asked. */
  supervisor?: Omit<Supervisor, "id"> | null;
  /** For `verified`: the name that the supervisor typed. */
  name?: string;
  /** For `verified`: the signed-in account, if any. */
  accountId?: number | null;
  /** For `withdrawn`: why the link ended. */
  cause?: LinkEnd;
  /** For `verified`: how the answer came. */
  via?: Via;
  /** For `declined`: why. */
  reason?: string;
  /** For `verified`: what the supervisor stated about their certificate. */
  certification?: { scheme?: string; level?: string; number?: string };
  /** For a decision: whether it came from the network or the browser of one of the technician's sessions. */
  sameNetwork?: boolean;
  sameBrowser?: boolean;
  /** `recordHash` of the record at that time. */
  recordHash: string;
}

export type LastEvent = Pick<LogRow, "number" | "hash">;
type StoredEvent = Omit<LogRow, "id">;

/** The query for a record's last event, with no row if it has none. `id` may be an expression. */
export function lastEvent(db: Db, kind: string, id: number | SQL<number>) {
  return db
    .select({ number: verificationLog.number, hash: verificationLog.hash })
    .from(verificationLog)
    .where(and(eq(verificationLog.recordKind, kind), eq(verificationLog.recordId, id)))
    .orderBy(desc(verificationLog.number))
    .limit(1);
}

/** The query for the last events of several records, which `ids` selects. */
export function lastEvents(db: Db, kind: string, ids: SQL) {
  return db
    .select({
      recordId: verificationLog.recordId,
      number: sql<number>`max(${verificationLog.number})`.as("last_number"),
      // SQLite takes the other columns from the row of the maximum.
      hash: verificationLog.hash,
    })
    .from(verificationLog)
    .where(and(eq(verificationLog.recordKind, kind), sql`${verificationLog.recordId} IN ${ids}`))
    .groupBy(verificationLog.recordId);
}

export function listEvents(db: Db, kind: string, id: number | SQL<number>) {
  const { id: _id, ...columns } = getTableColumns(verificationLog); // it counts the events of all records
  return db
    .select(columns)
    .from(verificationLog)
    .where(and(eq(verificationLog.recordKind, kind), eq(verificationLog.recordId, id)))
    .orderBy(asc(verificationLog.number));
}

/** The query for the time of the first event of all records, with no row if there is none. */
export function firstEvent(db: Db) {
  return db
    .select({ at: verificationLog.at })
    .from(verificationLog)
    .where(sql`id = (SELECT min(id) FROM ${verificationLog})`);
}

/**
 * The statement that appends an event after `last`, which `lastEvent` has read. `where` (`WHERE …`) can make it depend on
 * its change. The database refuses it if `last` is not the last event any more (see `retryOnConflict`).
 */
export function appendEvent(
  db: Db,
  { kind, id, last }: { kind: string; id: number; userId?: number; last: LastEvent | undefined },
  { event, at, client, supervisor, name, accountId, cause, recordHash }: EventFacts,
  where: SQL = sql``,
) {
  const line: Omit<StoredEvent, "hash"> = {
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
    previous: last?.hash ?? NO_PREVIOUS,
  };
  return db.insert(verificationLog).select(
    sql`SELECT NULL, ${kind}, ${id}, ${line.number}, ${event}, ${at.getTime()}, ${line.address}, ${line.browser},
      ${line.supervisor}, ${line.name}, ${line.cause}, ${recordHash}, ${line.previous}, ${eventHash(line)}, ${line.accountId}
      ${where}`,
  );
}

/**
 * The hash of an event: SHA-256, in hexadecimal, of all its other fields, the previous hash included. A missing account is
 * left out, so that events from before accounts were stored keep their hash.
 */
export function eventHash(line: Omit<StoredEvent, "hash">): string {
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

/** The database's error if an event does not follow the last one (migrations/0003_own_records.sql). */
const CONFLICT_MESSAGE = "a line of the verification log follows the last one";

/**
 * Runs `work`, which reads a record with its last event and then writes both. If another request wrote first, the database
 * refuses the event, or `work` returns null because the record has changed: the whole work is then retried after a pause,
 * up to `attempts` times.
 * @throws {TooManyConflictsError} 409 if every attempt had a conflict
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
      if (!databaseMessage(error)?.includes(CONFLICT_MESSAGE)) throw error;
    }
  }
  throw new TooManyConflictsError();
}
