import { logEvent, throwFirst } from "#app/server/logger.server.ts";
import { SWEEPS, type Sweep } from "./sweeps.ts";

type Database = Pick<D1DatabaseSession, "prepare" | "batch">;

/**
 * Runs all sweeps and logs one line: how many rows each has removed, if any. If one fails, the others run all the same;
 * the run is then not noted, so that `sweep_runs` tells since when not all of them work (docs/scale.md).
 * @throws {Error} the first failure
 */
export async function runSweeps(db: Database, now: Date): Promise<void> {
  const results = await Promise.allSettled(SWEEPS.map((sweep) => run(db, sweep, now)));
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  for (const [index, result] of results.entries()) {
    const name = SWEEPS[index]?.name ?? "";
    if (result.status === "fulfilled") {
      if (result.value > 0) removed[name] = result.value;
    } else {
      failed.push(name);
    }
  }
  logEvent(failed.length > 0 ? "error" : "info", "sweep", { removed, failed });
  throwFirst(results);
  const total = Object.values(removed).reduce((sum, count) => sum + count, 0);
  await db.prepare("INSERT OR REPLACE INTO sweep_runs VALUES ('all', ?, ?)").bind(now.getTime(), total).run();
}

/** Returns how many rows a sweep has removed or stripped. */
async function run(db: Database, { statements, age }: Sweep, now: Date): Promise<number> {
  const results = await db.batch(statements.map((sql) => db.prepare(sql).bind(now.getTime() - age)));
  return results.at(-1)?.meta.changes ?? 0;
}
