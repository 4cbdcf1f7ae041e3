import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import type { Env } from "./env.ts";

/*
 * The limit of the database (`DATABASE_LIMIT`). Near it the acts that make the most rows are refused, new accounts and
 * imports, so that all else goes on until the operator has made room. Admins get a warning before
 * (app/admin/database-warning.server.ts).
 */

/** D1's limit of a database, in bytes (docs/scale.md). */
const DEFAULT_BYTES = 10_000_000_000;

/** From when new accounts and imports are refused, in percent of the limit. */
const REFUSED_FROM = 90;

/** How long a refused caller waits before the next attempt, in seconds. */
const RETRY_SECONDS = 3_600;

/** The limit of the database, in bytes. */
export function databaseLimit({ DATABASE_LIMIT }: Pick<Env, "DATABASE_LIMIT">): number {
  return DATABASE_LIMIT ? Number(DATABASE_LIMIT) : DEFAULT_BYTES;
}

/** The query for the size of the database: every answer of D1 has it (`bytesOf`). It joins a batch that is made anyway. */
export function databaseSize(db: Db) {
  return db.run(sql`SELECT 1`);
}

/** The size of the database in bytes, by an answer to `databaseSize`. */
export function bytesOf({ meta }: { meta: { size_after: number } }): number {
  return meta.size_after;
}

/**
 * Refuses what fills the database when it is nearly full. `what` is refused, in the plural.
 * @throws {AppError} 503 from 90 % of the limit on
 */
export function requireRoom(context: AppLoadContext, size: Parameters<typeof bytesOf>[0], what: string): void {
  if (bytesOf(size) * 100 < databaseLimit(context.env) * REFUSED_FROM) return;
  context.retryAfter = RETRY_SECONDS;
  throw new AppError(
    "database_full",
    `The database of this installation is ${REFUSED_FROM} % full or more, so ${what} are refused until there is room. Please tell the person who runs it, and try again later.`,
  );
}
