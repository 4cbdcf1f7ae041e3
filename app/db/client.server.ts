import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Db = DrizzleD1Database;

/** Whose rows a query may touch: a user's id, or the expression that finds it from the session in the same batch. */
export type Owner = number | SQL<number>;

export function connect(binding: D1Database): Db {
  return drizzle(binding);
}

type Query = BatchItem<"sqlite">;
export type Answers<Q extends Record<string, Query>> = { [K in keyof Q]: Q[K]["_"]["result"] };

/**
 * Runs named queries as one D1 batch: one transaction and one round trip, which may cross an ocean. The answers come
 * back under the same names. No query in it may select two columns of one name (so: no joins), or D1 shifts them.
 */
export async function batch<Q extends Record<string, Query>>(db: Db, queries: Q): Promise<Answers<Q>> {
  const names = Object.keys(queries);
  const [first, ...rest] = Object.values(queries);
  if (!first) return {} as Answers<Q>; // nothing asked, nothing sent
  const answers: unknown[] = await db.batch([first, ...rest]);
  return Object.fromEntries(names.map((name, index) => [name, answers[index]])) as Answers<Q>; // zipped by name above
}

/**
 * What the database itself said, where an error is one of its own: that a write broke a constraint (a unique column, a
 * CHECK, a trigger), that it could not be reached. A batch throws D1's error as it is, and a single statement Drizzle's
 * around it; that one's message carries the bound values, so it is never looked at or logged.
 */
export function databaseMessage(error: unknown): string | null {
  for (const one of [error, error instanceof Error ? error.cause : null]) {
    if (one instanceof Error && one.message.startsWith("D1_ERROR")) return one.message;
  }
  return null;
}
