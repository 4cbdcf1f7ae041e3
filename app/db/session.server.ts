import { connect, type Db } from "./client.server.ts";

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

/**
 * Opens a session of D1 (its Sessions API): a replica may answer, and what is read never goes back in time. Writes go
 * to the primary by themselves.
 */
export function openConnection(binding: D1Database, start: ReadPoint): Connection {
  const session = binding.withSession(start);
  let hasWritten = false;
  const watched: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (sql) => {
      hasWritten ||= !/^\s*select\b/i.test(sql);
      return session.prepare(sql);
    },
    batch: (statements) => session.batch(statements),
  };
  return {
    db: connect(watched as D1Database), // Drizzle uses no more of it, and a session has no more
    writtenUpTo: () => (hasWritten ? session.getBookmark() : null),
  };
}
