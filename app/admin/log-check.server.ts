import { sql } from "drizzle-orm";
import {
  beginRecords,
  checkRecords,
  faultText,
  type RecordsProgress,
  type Tell,
} from "#app/audit-log/check-log.server.ts";
import { checkSchema } from "#app/audit-log/check-schema.server.ts";
import { beginTables, checkTables, type TablesProgress } from "#app/audit-log/check-tables.server.ts";
import type { Db, Execute } from "#app/db/client.server.ts";
import { logChecks } from "#app/db/schema.ts";
import { beginTree, checkTree, type TreeProgress } from "#app/proof/check-checkpoints.server.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { VERSION } from "#app/server/version.ts";

/*
 * The check of the audit log that an admin starts, in steps that the timer runs: the same checks as `npm run
 * verify-log` without `--checkpoint`. Its progress is stored after each step, so a check that is interrupted goes on
 * from there. It runs in the app that it checks: anyone who can change the app can change the result, so a checkpoint
 * kept elsewhere proves more.
 */

/** How many events a step reads, and how long a run of the timer takes further steps, in milliseconds. */
const STEP_EVENTS = 5_000;
const RUN_MS = 10_000;

/** How many faults are stored in words; all are counted. */
const FOUND_MAX = 20;

/** How far a check has come: first the records, then ids and indexes, then the tree and the checkpoints, then the triggers. */
interface Progress {
  /** The version that began the check. Another version starts it again. */
  version: string;
  records: RecordsProgress;
  tables: TablesProgress | null;
  tree: TreeProgress | null;
  found: string[];
}

/** The triggers and indexes that the migrations make and drop (vite/cloudflare-worker.ts). */
const MIGRATIONS = Object.values(
  import.meta.glob<string>("../../migrations/*.sql", { query: "?checked", import: "default", eager: true }),
).map((text) => ({ sql: text }));

/** The `progress` of a check that has been requested and has not begun. */
const NOT_BEGUN = "{}";

/** The statement that asks for a check. One that is going on stays as it is. */
export function startLogCheck(db: Db, now: Date) {
  return db
    .insert(logChecks)
    .values({ only: 1, step: 0, progress: NOT_BEGUN, startedAt: now })
    .onConflictDoUpdate({
      target: logChecks.only,
      set: { progress: NOT_BEGUN, startedAt: now },
      setWhere: sql`progress IS NULL`,
    })
    .returning({ only: logChecks.only });
}

/** Returns in words how many events a check has read of how many; both parts of a check read all of them. */
export function eventsRead(progress: string): { read: number; of: number } {
  const { records, tree }: Partial<Progress> = JSON.parse(progress);
  if (!records) return { read: 0, of: 0 };
  return { read: Math.floor((records.lines + (tree?.computed.size ?? 0)) / 2), of: records.written };
}

/** Does the next steps of the check that is going on, if one is: a step at least, and more for ten seconds. */
export async function continueLogCheck(database: Pick<D1DatabaseSession, "prepare">, now: Date): Promise<void> {
  const start = Date.now();
  const execute: Execute = async (text) => (await database.prepare(text).all()).results;
  do {
    const [row] = await execute("SELECT step, progress FROM log_checks WHERE only = 1 AND progress IS NOT NULL");
    if (!row) return;
    const { progress, end } = await step(execute, String(row.progress));
    // Another run of the timer may have done the same step; then this one counts for nothing.
    const stored = await database
      .prepare(
        `UPDATE log_checks SET step = step + 1, progress = ?2, at = iif(?2 IS NULL, ?3, at),
          events = coalesce(?4, events), faults = coalesce(?5, faults), found = coalesce(?6, found)
          WHERE only = 1 AND step = ?1 AND progress IS NOT NULL RETURNING step`,
      )
      .bind(
        row.step,
        end ? null : JSON.stringify(progress),
        now.getTime(),
        end?.events ?? null,
        end?.faults ?? null,
        end ? JSON.stringify(end.found) : null,
      )
      .all();
    if (stored.results.length === 0) return;
    if (end) {
      logEvent(end.faults > 0 ? "error" : "info", "log check", { events: end.events, faults: end.faults });
      return;
    }
  } while (Date.now() - start < RUN_MS);
}

/** Runs one step of the check. `end` is its result, with its last step. */
async function step(
  execute: Execute,
  stored: string,
): Promise<{ progress: Progress; end: { events: number; faults: number; found: string[] } | null }> {
  const parsed: Partial<Progress> = JSON.parse(stored);
  const { records, tables, tree, found } = parsed.version === VERSION ? parsed : {};
  const told = [...(found ?? [])];
  const tell: Tell = (...fault) => {
    if (told.length < FOUND_MAX) told.push(faultText(...fault));
  };
  if (!records?.isDone) {
    const next = await checkRecords(execute, records ?? (await beginRecords(execute)), STEP_EVENTS, tell);
    return { progress: { version: VERSION, records: next, tables: null, tree: null, found: told }, end: null };
  }
  if (!tables?.isDone) {
    const next = await checkTables(execute, tables ?? (await beginTables(execute)));
    return { progress: { version: VERSION, records, tables: next, tree: null, found: told }, end: null };
  }
  const next = await checkTree(execute, tree ?? (await beginTree(execute)), STEP_EVENTS);
  const progress = { version: VERSION, records, tables, tree: next, found: told };
  if (!next.isDone) return { progress, end: null };
  const others = [...tables.faults, ...next.report.faults, ...(await checkSchema(execute, MIGRATIONS))];
  return {
    progress,
    end: {
      events: records.lines,
      faults: records.faults + others.length,
      found: [...told, ...others].slice(0, FOUND_MAX),
    },
  };
}
