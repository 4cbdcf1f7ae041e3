import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

import { AppError } from "#app/errors.ts";

export type Db = DrizzleD1Database;

/** Whose rows a query may touch: a user's id, or the expression that finds it from the session in the same batch. */
export type Owner = number | SQL<number>;

export function connect(binding: D1Database): Db {
  return drizzle(binding);
}

type Query = BatchItem<"sqlite">;
export type Rows<Q extends Record<string, Query>> = { [K in keyof Q]: Q[K]["_"]["result"] };

/**
 * Runs named queries as one D1 batch: one transaction and one round trip, which may cross an ocean. The answers come
 * back under the same names. No query in it may select two columns of one name (so: no joins), or D1 shifts them.
 * @throws {AppError} 401 where it would store something for a user who has been deleted since somebody looked
 */
export async function batch<Q extends Record<string, Query>>(db: Db, queries: Q): Promise<Rows<Q>> {
  const names = Object.keys(queries);
  const [first, ...rest] = Object.values(queries);
  if (!first) return {} as Rows<Q>; // nothing asked, nothing sent
  const answers: unknown[] = await db.batch([first, ...rest]).catch((error) => {
    // Every foreign key leads to a user.
    throw databaseMessage(error)?.includes("FOREIGN KEY") ? new AppError(401, "Unauthorized") : error;
  });
  return Object.fromEntries(names.map((name, index) => [name, answers[index]])) as Rows<Q>; // zipped by name above
}

/**
 * Whether the database refused a write because of one of its constraints (a unique column, a CHECK, a trigger).
 * Drizzle's own message carries the bound values, so only D1's is ever looked at or logged.
 */
export function databaseMessage(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null;
  // A batch's error comes as D1 made it; that of a statement by itself is the cause of Drizzle's.
  const own = [error, cause].find((one) => one instanceof Error && one.message.startsWith("D1_ERROR"));
  return own instanceof Error ? own.message : null;
}
