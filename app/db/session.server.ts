import { connect, type Db } from "./client.server.ts";
import { isRead, retryRead } from "./retry.server.ts";

/**
 * Where the first query of a request may be answered: by the primary alone, by whatever replica is nearest, or by any
 * that has come as far as a bookmark.
 */
export type ReadPoint = "first-primary" | "first-unconstrained" | (string & {});

/** One request's way to the database. */
export interface Connection {
  db: Db;
  /** How far the database had come after this request's last write; null where it wrote nothing. */
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
 * Opens a session of D1 (its Sessions API): a replica may answer, and what is read never goes back in time. Writes go
 * to the primary by themselves. Reads are retried once after a transient error, writes never.
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
    db: connect(database as unknown as D1Database), // as much of it as Drizzle uses
    writtenUpTo: () => (hasWritten ? session.getBookmark() : null),
  };
}
