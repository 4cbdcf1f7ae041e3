import type { Env } from "#app/server/env.ts";
import { getRequestId, logEvent, logRequest, type Visit, withRequestId } from "#app/server/logger.server.ts";
import type { Job, Nightly } from "./backups/nightly.ts";
import { restore } from "./backups/restore.ts";
import { withCause } from "./readiness.ts";
import type { Database } from "./storage.ts";
import { jsonResponse, plainResponse, refusalOf } from "./token-guard.ts";

let lastDownload: Date | null = null;

/** When a backup was last requested from this program; null if it was not. */
export function lastBackupDownload(): Date | null {
  return lastDownload;
}

const METHODS: Record<string, string[]> = { "/backup": ["GET", "POST"], "/restore": ["POST"] };
const PARAMETERS: Record<string, string[]> = { "/restore": ["from"] };

/** What these endpoints work on. */
interface Backups {
  /** `BACKUP_TOKEN`, or null. */
  token: string | null;
  database: DurableObjectStub<Database>;
  nightly: Nightly;
  job(): Job;
  /** Does this work while no email is sent, and settles afterwards whether they are held. */
  withoutMail<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Answers `/backup` (GET sends a copy of the database, POST stores one) and POST /restore with `BACKUP_TOKEN`. Returns null
 * for other requests, and without that setting: these URLs then do not exist.
 */
export async function answerBackup(incoming: Request, env: Env, backups: Backups): Promise<Response | null> {
  const { token } = backups;
  const { pathname } = new URL(incoming.url);
  const methods = METHODS[pathname];
  if (!token || !methods) return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit: Visit = {
    id: getRequestId(request),
    method: request.method,
    route: `self-host${pathname}`,
    userId: null,
    conflicts: [],
  };
  const refusal = await refusalOf(request, { methods, token, refused: "backup_refused" }, env, visit);
  const answer = refusal ?? (await respond(request, pathname, backups, visit));
  logRequest(visit, answer.status, Date.now() - start);
  return answer;
}

async function respond(request: Request, pathname: string, backups: Backups, visit: Visit): Promise<Response> {
  const { database, nightly, job } = backups;
  const [unknown] = [...new URL(request.url).searchParams.keys()].filter(
    (name) => !PARAMETERS[pathname]?.includes(name),
  );
  if (unknown !== undefined)
    return jsonResponse(400, `Nothing was done: ${pathname} has no parameter ${JSON.stringify(unknown)}.`);
  if (pathname === "/restore") return answerRestore(request, backups, visit);
  if (request.method === "GET") {
    logEvent("info", "backup", { id: visit.id });
    const backup = await database.backup();
    lastDownload = new Date();
    return plainResponse(backup, "application/sql");
  }
  try {
    const taken = await nightly.takeNow(job(), new Date());
    return "refusal" in taken
      ? jsonResponse(409, `Nothing was stored: ${taken.refusal}.`)
      : jsonResponse(200, "Stored, read back and counted", {}, taken);
  } catch (error) {
    const problem = withCause(error);
    logEvent("error", "backup failed", { id: visit.id, problem });
    return jsonResponse(500, `The backup failed: ${problem.replace(/[^?]$/, "$&.")}`);
  }
}

/** Restores the body, or with `?from=` a stored backup. */
async function answerRestore(request: Request, backups: Backups, visit: Visit): Promise<Response> {
  const { database, job, withoutMail } = backups;
  const from = new URL(request.url).searchParams.get("from");
  const source = from || request.body;
  if (!source) return jsonResponse(400, "Send a backup as the body, or name a stored one: ?from=latest");
  const outcome = await withoutMail(() => restore({ database, job: job() }, source));
  if ("problem" in outcome) {
    logEvent("warn", "restore", { id: visit.id, ...outcome });
    return jsonResponse(409, `Nothing was changed: ${outcome.problem}.`);
  }
  const { rows, ...facts } = outcome;
  logEvent("info", "restore", { id: visit.id, ...facts });
  return jsonResponse(200, "Restored", {}, { ...facts, rows });
}
