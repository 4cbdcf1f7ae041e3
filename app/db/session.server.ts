import { connect, type Db } from "./client.server.ts";

/** Messages of D1 errors after which the same query may succeed (Cloudflare, "D1: Retry queries"). */
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "exceeded timeout which caused object to be reset",
  "transient issue on remote node",
];

/** The pause before the second attempt: this many milliseconds plus a random time of up to as many. */
const PAUSE_MS = 50;

/** Whether a statement only reads. All of our reads begin with SELECT. */
function isRead(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

/**
 * Runs a read, and once more after a transient error of D1. Not for writes: the write may have been applied despite the
 * error.
 * @throws the error of the second attempt, or any other error at once
 */
async function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (!TRANSIENT.some((text) => message.includes(text))) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
    return read();
  }
}

/**
 * The databases that may answer the first query of a request: the primary, any replica, or any that has reached a
 * bookmark.
 */
export type ReadPoint = "first-primary" | "first-unconstrained" | (string & {});

export interface Connection {
  db: Db;
  /** The bookmark after this request's last write; null if it wrote nothing. */
  writtenUpTo(): string | null;
}

/** A statement of D1 that keeps its SQL, so that reads can be retried. */
class Statement {
  readonly sql: string;
  readonly prepared: D1PreparedStatement;

  constructor(sql: string, prepared: D1PreparedStatement) {
    this.sql = sql;
    this.prepared = prepared;
  }

  bind = (...values: unknown[]) => new Statement(this.sql, this.prepared.bind(...values));
  run = () => this.#execute(() => this.prepared.run());
  all = () => this.#execute(() => this.prepared.all());
  raw = () => this.#execute(() => this.prepared.raw());

  #execute<Result>(execute: () => Promise<Result>): Promise<Result> {
    return isRead(this.sql) ? retryRead(execute) : execute();
  }
}

/**
 * Opens a D1 session (Sessions API): replicas can answer, and reads never go back in time. D1 sends writes to the
 * primary. Reads are retried once after a transient error, writes never. After a write that the database refused, the next
 * query reads from the primary: a replica may not have the act that came between, so the retry would be refused again.
 */
export function openConnection(binding: D1Database, start: ReadPoint): Connection {
  let session = binding.withSession(start);
  let hasWritten = false;
  const database = {
    prepare(sql: string) {
      hasWritten ||= !isRead(sql);
      return new Statement(sql, session.prepare(sql));
    },
    batch(statements: Statement[]) {
      const execute = () => session.batch(statements.map(({ prepared }) => prepared));
      if (statements.every(({ sql }) => isRead(sql))) return retryRead(execute);
      return execute().catch((error) => {
        session = binding.withSession("first-primary");
        throw error;
      });
    },
  };
  return {
    db: connect(database as unknown as D1Database), // the part of it that Drizzle uses
    writtenUpTo: () => (hasWritten ? session.getBookmark() : null),
  };
}
