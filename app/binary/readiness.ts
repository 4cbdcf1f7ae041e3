import { logEvent } from "#app/http/log.server.ts";
import { type Environment, settingsProblem } from "./settings.ts";
import type { Database } from "./storage.ts";

/** How long it takes until what stood in the way is tried, and written, again, in milliseconds. */
const AGAIN_AFTER = 10_000;

let isReady = false;
let failed: { problem: string; at: number } | null = null;

/**
 * What keeps the app from answering, or null. workerd runs nothing at its start, so whatever comes first asks: a request
 * or the clock. Migrations run here, before any of the app's code sees the database.
 */
export async function problemOf(
  environment: Environment,
  database: Pick<DurableObjectStub<Database>, "prepare">,
): Promise<string | null> {
  if (isReady) return null;
  if (failed && Date.now() - failed.at < AGAIN_AFTER) return failed.problem;
  const wrong = settingsProblem(environment);
  const { migrated, problem } = wrong ? { migrated: [], problem: wrong } : await database.prepare();
  if (migrated.length > 0) logEvent("info", "migrated", { migrations: migrated });
  if (problem) {
    failed = { problem, at: Date.now() };
    logEvent("error", "not ready", {
      problem,
      advice: wrong
        ? "Set it right and start again. Nothing was changed."
        : "Nothing was changed. Run the version that worked before, or restore a backup; see docs/single-binary.md.",
    });
    return problem;
  }
  if (!isReady) logEvent("info", "ready", {});
  isReady = true;
  failed = null;
  return null;
}
