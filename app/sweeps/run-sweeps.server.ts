import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sweepRuns } from "#app/db/schema.ts";
import { logError, logEvent } from "#app/server/logger.server.ts";
import { SWEEPS, type Sweep } from "./sweeps.ts";

/**
 * Runs all sweeps and logs one line: how many rows each removed, if any. If one fails, the others run all the same; the
 * run is then not noted, so that `findLastSweep` tells how long not all of them have worked.
 * @throws {Error} the first failure
 */
export async function runSweeps(db: Db, now: Date): Promise<void> {
  const results = await Promise.allSettled(SWEEPS.map((sweep) => run(db, sweep, now)));
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  for (const [index, { name }] of SWEEPS.entries()) {
    const result = results[index];
    if (result?.status === "rejected") failed.push(name);
    else if (result?.value) removed[name] = result.value;
  }
  logEvent(failed.length > 0 ? "error" : "info", "sweep", { removed, ...(failed.length > 0 && { failed }) });
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const error of errors.slice(1)) logError(error);
  if (errors.length > 0) throw errors[0];
  const total = Object.values(removed).reduce((sum, count) => sum + count, 0);
  await db
    .insert(sweepRuns)
    .values({ name: "all", at: now, removed: total })
    .onConflictDoUpdate({ target: sweepRuns.name, set: { at: now, removed: total } });
}

/** Returns how many rows a sweep has removed or stripped. */
async function run(db: Db, { statements }: Sweep, now: Date): Promise<number> {
  const [first, ...rest] = statements(now).map((statement) => db.run(statement));
  if (!first) return 0;
  const results = await db.batch([first, ...rest]);
  return results.at(-1)?.meta.changes ?? 0;
}

/** The query for the last run in which no sweep failed: when it was, and how many rows it removed; no row before the first. */
export function findLastSweep(db: Db) {
  return db.select({ at: sweepRuns.at, removed: sweepRuns.removed }).from(sweepRuns).where(sql`name = 'all'`);
}
