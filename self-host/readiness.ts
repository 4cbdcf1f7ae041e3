import { messageOf } from "#app/errors.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { VERSION } from "#app/server/version.ts";
import { type Environment, settingsProblem, settingWarnings } from "./settings.ts";
import type { Preparation } from "./storage.ts";

/** After a failure, the preparation is retried (and logged) after this time, in milliseconds. */
const AGAIN_AFTER = 10_000;

/** The runtime can neither set nor read file permissions, so the operator has to. */
const CLOSE_IT =
  "The umask of this program decides who else may read these files. Unless it was 077: stop it, `chmod -R go= FOLDER`, and start it after `umask 077`.";

/**
 * At the start, before the program listens: logs which settings are ignored, and the address, or what is wrong with a setting.
 * @throws {Error} what is wrong with a setting, in words for the operator
 */
export function checkSettings(environment: Environment): void {
  for (const warning of settingWarnings(environment, "the executable")) logEvent("warn", "setting ignored", warning);
  const problem = settingsProblem(environment);
  if (problem) {
    const advice = "Correct the setting and start again. Nothing was changed.";
    logEvent("error", "not started", { version: VERSION, problem, advice });
    throw new Error(problem);
  }
  const address = environment.PUBLIC_ORIGIN || "that of -shttp=, http://127.0.0.1:8787 without it";
  const advice =
    "The data is prepared at the first request, such as one of /healthz; the log then says `ready`, or why not.";
  logEvent("info", "starting", { version: VERSION, address, advice });
}

let isReady = false;
let failed: { reason: string; at: number } | null = null;

/**
 * Why the app cannot answer, in words that everybody may read, or null; the log says more. The first call, by a request or the
 * clock, prepares the database, because workerd runs no code at start: it is migrated, and restored with `RESTORE_FROM`, before
 * any of the app's code uses it.
 */
export async function problemOf(prepare: () => Promise<Preparation>): Promise<string | null> {
  if (isReady) return null;
  // In both directions: a clock that is set back must not keep an old problem.
  if (failed && Math.abs(Date.now() - failed.at) < AGAIN_AFTER) return failed.reason;
  const { migrated, isNew, problem, reason, advice } = await prepare().catch((error) => ({
    ...UNUSABLE,
    problem: `the database cannot be used: ${messageOf(error)}`,
  }));
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
