import { connect, type Db } from "./client.server.ts";
import { isRead, retryRead } from "./retry.server.ts";

/** Who may answer the first query of a request: the primary, any replica, or any that has reached a bookmark. */
export type ReadPoint = "first-primary" | "first-unconstrained" | (string & {});

export interface Connection {
  db: Db;
  /** The bookmark after this request's last write; null if it wrote nothing. */
  writtenUpTo(): string | null;
}

/** A statement of D1 that knows its SQL, so that reads can be retried. */
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
 * primary. Reads are retried once after a transient error, writes never.
 */
export function openConnection(binding: D1Database, start: ReadPoint): Connection {
  const session = binding.withSession(start);
  let hasWritten = false;
  const database = {
    prepare(sql: string) {
      hasWritten ||= !isRead(sql);
      return new Statement(sql, session.prepare(sql));
    },
    batch(statements: Statement[]) {
      const execute = () => session.batch(statements.map(({ prepared }) => prepared));
      return statements.every(({ sql }) => isRead(sql)) ? retryRead(execute) : execute();
    },
  };
  return {
    db: connect(database as unknown as D1Database), // the part of it that Drizzle uses
    writtenUpTo: () => (hasWritten ? session.getBookmark() : null),
  };
}
