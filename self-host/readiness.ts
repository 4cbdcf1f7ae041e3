import { messageOf } from "#app/errors.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { type Environment, settingsProblem, settingWarnings } from "./settings.ts";
import type { Preparation } from "./storage.ts";

/** After a failure, the preparation is retried (and logged) after this time, in milliseconds. */
const AGAIN_AFTER = 10_000;

/** The runtime can neither set nor read file permissions, so the operator has to. */
const CLOSE_IT =
  "The umask of this program decides who else may read these files. Unless it was 077: stop it, `chmod -R go= FOLDER`, and start it after `umask 077`.";

let isReady = false;
let hasWarned = false;
let failed: { reason: string; at: number } | null = null;

/**
 * Why the app cannot answer, in words that everybody may read, or null; the log says more. The first call, by a request or the
 * clock, prepares the database, because workerd runs no code at start: it is migrated, and restored with `RESTORE_FROM`, before
 * any of the app's code uses it.
 */
export async function problemOf(environment: Environment, prepare: () => Promise<Preparation>): Promise<string | null> {
  if (isReady) return null;
  // In both directions: a clock that is set back must not keep an old problem.
  if (failed && Math.abs(Date.now() - failed.at) < AGAIN_AFTER) return failed.reason;
  if (!hasWarned) {
    hasWarned = true;
    for (const warning of settingWarnings(environment, "the executable")) logEvent("warn", "setting ignored", warning);
  }
  const wrong = settingsProblem(environment);
  const { migrated, isNew, problem, reason, advice } = wrong
    ? {
        migrated: [],
        problem: wrong,
        reason: reasonOf(wrong, environment),
        advice: "Correct the setting and start again. Nothing was changed.",
      }
    : await prepare().catch((error) => ({ ...UNUSABLE, problem: `the database cannot be used: ${messageOf(error)}` }));
  if (isNew) logEvent("warn", "new data folder", { advice: CLOSE_IT });
  if (migrated.length > 0) logEvent("info", "migrated", { migrations: migrated });
  if (problem) {
    failed = { reason: reason ?? "The log says why.", at: Date.now() };
    logEvent("error", "not ready", { problem: withCause(problem), advice });
    return failed.reason;
  }
  if (!isReady) logEvent("info", "ready", {});
  isReady = true;
  failed = null;
  return null;
}

/** The runtime throws this at the first use of a file that it cannot open. */
const UNUSABLE: Preparation = {
  migrated: [],
  problem: null,
  reason: "The database cannot be used. The log says why.",
  advice:
    "If `df` shows that the disk is full, make room. Else a file is damaged: restore a backup into a new data folder; see docs/backups.md.",
};

/** Of a file that cannot be read or written the runtime says only `internal error`, with a reference to its own messages. */
export function withCause(error: unknown): string {
  return messageOf(error).replace(/internal error(; reference = \w+)?/, "$&; is the disk full, or a file damaged?");
}

/** The name of a wrong setting, without its value: that could be a secret in the wrong place. */
function reasonOf(settingsProblem: string, environment: { [name: string]: unknown }): string {
  const [name = "A setting"] = /^[A-Z][A-Z\d_]*/.exec(settingsProblem) ?? [];
  return `${name} is ${environment[name] ? "invalid" : "missing"}. The log says how to correct it.`;
}
