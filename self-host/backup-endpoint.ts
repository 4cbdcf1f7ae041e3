import type { Env } from "#app/server/env.ts";
import { logEvent, logRequest, type Visit } from "#app/server/logger.server.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import type { Database } from "./storage.ts";
import { jsonResponse, plainResponse, refusalOf } from "./token-guard.ts";

let lastDownload: Date | null = null;

/** When a backup was last requested from this program; null if it was not. */
export function lastBackupDownload(): Date | null {
  return lastDownload;
}

/**
 * Answers GET /backup and POST /restore with `BACKUP_TOKEN`. Returns null for other requests, and without that setting:
 * these URLs then do not exist.
 */
export async function answerBackup(
  incoming: Request,
  env: Env,
  token: string | null,
  database: DurableObjectStub<Database>,
): Promise<Response | null> {
  const { pathname } = new URL(incoming.url);
  const method = { "/backup": "GET", "/restore": "POST" }[pathname];
  if (!token || !method) return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit: Visit = {
    id: getRequestId(request),
    method: request.method,
    route: `self-host${pathname}`,
    userId: null,
  };
  const refusal = await refusalOf(request, { method, token, refused: "backup_refused" }, env, visit);
  const answer = refusal ?? (await respond(request, database, visit));
  logRequest(visit, answer.status, Date.now() - start);
  return answer;
}

async function respond(request: Request, database: DurableObjectStub<Database>, visit: Visit): Promise<Response> {
  if (request.method === "GET") {
    logEvent("info", "backup", { id: visit.id });
    const backup = await database.backup();
    lastDownload = new Date();
    return plainResponse(backup, "application/sql");
  }
  if (!request.body) return jsonResponse(400, "Send a backup as the body.");
  const problem = await database.restore(request.body);
  logEvent(problem ? "warn" : "info", "restore", problem ? { id: visit.id, problem } : { id: visit.id });
  return problem ? jsonResponse(409, `Nothing was changed: ${problem}.`) : jsonResponse(200, "Restored");
}
