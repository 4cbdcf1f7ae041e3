import { createHash, timingSafeEqual } from "node:crypto";
import { METHOD_NOT_ALLOWED } from "#app/errors.ts";
import { readClient } from "#app/server/client-address.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent, logRequest, securityEvent, type Visit } from "#app/server/logger.server.ts";
import { MemoryLimiter } from "#app/server/memory-limiter.ts";
import { networkFromAddress } from "#app/server/network.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import type { Database } from "./storage.ts";

/** The number of wrong tokens that one network may send in `PERIOD_S` seconds. The right token is not counted. */
const WRONG_TOKENS = 10;
const PERIOD_S = 60;
const wrongTokens = new MemoryLimiter(WRONG_TOKENS, PERIOD_S);

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/**
 * Answers GET /backup and POST /restore with `BACKUP_TOKEN`. Returns null for other requests, and without that setting:
 * these URLs then do not exist. The client's address proves nothing, because all requests can come through a proxy on
 * this machine.
 */
export async function answerBackup(
  incoming: Request,
  env: Env,
  token: string | null,
  database: DurableObjectStub<Database>,
): Promise<Response | null> {
  const { pathname } = new URL(incoming.url);
  const wanted = { "/backup": "GET", "/restore": "POST" }[pathname];
  if (!token || !wanted) return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit: Visit = {
    id: getRequestId(request),
    method: request.method,
    route: `self-host${pathname}`,
    userId: null,
  };
  const answer = await respond(
    request,
    wanted,
    token,
    database,
    visit,
    networkFromAddress(readClient(request, env).address),
  );
  logRequest(visit, answer.status, Date.now() - start);
  return answer;
}

async function respond(
  request: Request,
  wanted: string,
  token: string,
  database: DurableObjectStub<Database>,
  visit: Visit,
  network: string,
): Promise<Response> {
  if (request.method !== wanted) return jsonResponse(405, METHOD_NOT_ALLOWED, { Allow: wanted });
  if (!isHolder(request, token)) {
    const { success } = await wrongTokens.limit({ key: network });
    securityEvent({ visit }, success ? "backup_refused" : "rate_limited");
    if (success) return jsonResponse(401, "Unauthorized", { "WWW-Authenticate": "Bearer" });
    return jsonResponse(429, "Too many wrong tokens came from your network. Please try again in a minute.", {
      "Retry-After": String(PERIOD_S),
    });
  }
  if (wanted === "GET") {
    logEvent("info", "backup", { id: visit.id });
    return new Response(await database.backup(), { headers: { ...HEADERS, "Content-Type": "application/sql" } });
  }
  if (!request.body) return jsonResponse(400, "Send a backup as the body.");
  const problem = await database.restore(request.body);
  logEvent(problem ? "warn" : "info", "restore", problem ? { id: visit.id, problem } : { id: visit.id });
  return problem ? jsonResponse(409, `Nothing was changed: ${problem}.`) : jsonResponse(200, "Restored");
}

function jsonResponse(status: number, message: string, more: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers: { ...HEADERS, ...more } });
}

function isHolder(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(token));
}
