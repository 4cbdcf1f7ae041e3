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

/** Named queries for one batch; a group of them may stand under one name. */
export interface Queries {
  [name: string]: Query | Queries;
}

/** What a batch of these queries answers: rows under the same names. */
export type Rows<Q> = {
  [Name in keyof Q]: NonNullable<Q[Name]> extends { _: { result: infer Result } } ? Result : Rows<Q[Name]>;
};

/**
 * Runs named queries as one D1 batch: one transaction and one round trip, which may cross an ocean. The rows come back
 * under the same names. No query in it may select two columns of one name (so: no joins), or D1 shifts them.
 * @throws {AppError} 401 where it would store something for a user who was deleted meanwhile
 */
export async function batch<Q extends Queries>(db: Db, queries: Q): Promise<Rows<Q>> {
  const [first, ...rest] = listQueries(queries);
  const answers: unknown[] = !first
    ? []
    : await db.batch([first, ...rest]).catch((error) => {
        // Every foreign key leads to a user.
        throw databaseMessage(error)?.includes("FOREIGN KEY") ? new AppError(401, "Unauthorized") : error;
      });
  return nameRows(queries, answers.values()) as Rows<Q>; // in the order of `listQueries`
}

function isQuery(value: Query | Queries): value is Query {
  return Object.getPrototypeOf(value) !== Object.prototype; // a query is an object of Drizzle's
}

function listQueries(queries: Queries): Query[] {
  return Object.values(queries).flatMap((value) => (isQuery(value) ? [value] : listQueries(value)));
}

function nameRows(queries: Queries, answers: Iterator<unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, value]) => [
      name,
      isQuery(value) ? answers.next().value : nameRows(value, answers),
    ]),
  );
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
