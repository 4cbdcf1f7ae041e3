import type { AppLoadContext } from "@remix-run/cloudflare";
import { desc, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { latest, waitUntil } from "./attempt-limits.server.ts";

/*
 * The rows that an account may add in a day, so that no account fills the database or slows down another. Unlike
 * attempts, rows are counted that exist anyway. An act reads the quota with its account, and the guard
 * (app/db/commit.server.ts) lets only one of two concurrent acts be stored.
 */

/** How many rows of a table an account makes in 24 hours. The table has `user_id`, and an index on it and `at`. */
export interface DailyQuota {
  table: SQLiteTable;
  /** When a row was made. */
  at: SQLiteColumn;
  max: number;
  /** Why another is refused: what there were too many of, and what to do instead. */
  why: string;
}

/**
 * The query for the row that must be a day old before another is allowed. Rows of a clock that was ahead do not count.
 */
export function rowAtQuota(db: Db, { table, at, max }: DailyQuota, owner: Owner, now: Date) {
  return db
    .select({ at: sql<number>`${at}`.as("made_at_quota") })
    .from(table)
    .where(sql`user_id = ${owner} AND ${at} > ${now.getTime() - DAY_MS} AND ${at} <= ${latest(now).getTime()}`)
    .orderBy(desc(at))
    .limit(1)
    .offset(max - 1);
}

/**
 * Refuses another row, by the result of `rowAtQuota`.
 * @throws {AppError} 429 with `why`; `Retry-After` gives the seconds until another is allowed
 */
export function requireBelowQuota(context: AppLoadContext, { why }: DailyQuota, [full]: { at: number }[]): void {
  if (full) throw new AppError("daily_quota", `${why} Please try again in ${waitUntil(context, full.at + DAY_MS)}.`);
}
