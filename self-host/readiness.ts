import { logEvent } from "#app/server/logger.server.ts";
import { type Environment, settingsProblem } from "./settings.ts";
import type { Database } from "./storage.ts";

/** After a failure, the preparation is retried (and logged) after this time, in milliseconds. */
const AGAIN_AFTER = 10_000;

/** The runtime can neither set nor read file permissions, so the operator has to. */
const CLOSE_IT =
  "Who else may read these files is decided by the umask of this program. Unless it was 077: stop it, `chmod -R go= FOLDER`, and start it after `umask 077`.";

let isReady = false;
let failed: { problem: string; at: number } | null = null;

/**
 * The reason why the app cannot answer, or null. The first call, by a request or the clock, prepares the database,
 * because workerd runs no code at start. Migrations run before any of the app's code uses the database.
 */
export async function problemOf(
  environment: Environment,
  database: Pick<DurableObjectStub<Database>, "prepare">,
): Promise<string | null> {
  if (isReady) return null;
  // In both directions: a clock that is set back must not keep an old problem.
  if (failed && Math.abs(Date.now() - failed.at) < AGAIN_AFTER) return failed.problem;
  const wrong = settingsProblem(environment);
  const { migrated, isNew, problem, advice } = wrong
    ? { migrated: [], problem: wrong, advice: "Correct the setting and start again. Nothing was changed." }
    : await database.prepare();
  if (isNew) logEvent("warn", "new data folder", { advice: CLOSE_IT });
  if (migrated.length > 0) logEvent("info", "migrated", { migrations: migrated });
  if (problem) {
    failed = { problem, at: Date.now() };
    logEvent("error", "not ready", { problem, advice });
    return problem;
  }
  if (!isReady) logEvent("info", "ready", {});
  isReady = true;
  failed = null;
  return null;
}
