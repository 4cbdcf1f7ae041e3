import { createHash, timingSafeEqual } from "node:crypto";
import { METHOD_NOT_ALLOWED } from "#app/errors.ts";
import { readClient } from "#app/server/client-address.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent, logRequest, securityEvent, type Visit } from "#app/server/logger.server.ts";
import { MemoryLimiter } from "#app/server/memory-limiter.ts";
import { networkFromAddress } from "#app/server/network.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import { openBackup } from "./backups/find.ts";
import type { Job, Nightly } from "./backups/nightly.ts";
import { unpacked } from "./backups/packing.ts";
import { piecesOf, streamOf } from "./dump-stream.ts";
import type { Database } from "./storage.ts";

/** The number of wrong tokens that one network may send in `PERIOD_S` seconds. The right token is not counted. */
const WRONG_TOKENS = 10;
const PERIOD_S = 60;
const wrongTokens = new MemoryLimiter(WRONG_TOKENS, PERIOD_S);

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const METHODS: Record<string, string[]> = { "/backup": ["GET", "POST"], "/restore": ["POST"] };

/** What these endpoints work on. */
export interface Backups {
  /** `BACKUP_TOKEN`, or null. */
  token: string | null;
  database: DurableObjectStub<Database>;
  nightly: Nightly;
  job: Job;
}

/**
 * Answers `/backup` (GET sends a copy of the database, POST stores one) and POST /restore with `BACKUP_TOKEN`. Returns null
 * for other requests, and without that setting: these URLs then do not exist. The client's address proves nothing, because
 * all requests can come through a proxy on this machine.
 */
export async function answerBackup(incoming: Request, env: Env, backups: Backups): Promise<Response | null> {
  const { pathname } = new URL(incoming.url);
  const methods = METHODS[pathname];
  if (!backups.token || !methods) return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const visit: Visit = {
    id: getRequestId(request),
    method: request.method,
    route: `self-host${pathname}`,
    userId: null,
  };
  const network = networkFromAddress(readClient(request, env).address);
  const answer =
    refused(request, methods) ??
    (await unauthorised(request, backups.token, visit, network)) ??
    (await respond(request, pathname, backups, visit));
  logRequest(visit, answer.status, Date.now() - start);
  return answer;
}

function refused(request: Request, methods: string[]): Response | null {
  return methods.includes(request.method)
    ? null
    : jsonResponse(405, METHOD_NOT_ALLOWED, {}, { Allow: methods.join(", ") });
}

async function unauthorised(request: Request, token: string, visit: Visit, network: string): Promise<Response | null> {
  if (isHolder(request, token)) return null;
  const { success } = await wrongTokens.limit({ key: network });
  securityEvent({ visit }, success ? "backup_refused" : "rate_limited");
  if (success) return jsonResponse(401, "Unauthorized", {}, { "WWW-Authenticate": "Bearer" });
  return jsonResponse(
    429,
    "Too many wrong tokens came from your network. Please try again in a minute.",
    {},
    { "Retry-After": String(PERIOD_S) },
  );
}

async function respond(request: Request, pathname: string, backups: Backups, visit: Visit): Promise<Response> {
  const { database, nightly, job } = backups;
  if (pathname === "/restore") return restore(request, backups, visit);
  if (request.method === "GET") {
    logEvent("info", "backup", { id: visit.id });
    return new Response(await database.backup(), { headers: { ...HEADERS, "Content-Type": "application/sql" } });
  }
  try {
    const taken = await nightly.takeNow(job, new Date());
    return taken
      ? jsonResponse(200, "Stored, read back and counted", taken)
      : jsonResponse(409, "Nothing was stored: this database has no accounts yet.");
  } catch (error) {
    logEvent("error", "backup failed", { id: visit.id, problem: messageOf(error) });
    return jsonResponse(500, `The backup failed: ${messageOf(error)}.`);
  }
}

/** Restores the body, or with `?from=` a stored backup. */
async function restore(request: Request, { database, job }: Backups, visit: Visit): Promise<Response> {
  const from = new URL(request.url).searchParams.get("from");
  if (!from && !request.body) return jsonResponse(400, "Send a backup as the body, or name a stored one: ?from=latest");
  const errors: string[] = [];
  const outcome = await (async () => {
    const { stored, ...facts } = from ? await openBackup(job, from) : { stored: request.body ?? new Blob([]).stream() };
    // The other Worker gets the error of a stream without its words.
    const sql = streamOf(unpacked(piecesOf(stored), job.key), (error) => errors.push(messageOf(error)));
    return { facts, ...(await database.restore(sql)) };
  })().catch((error) => ({ problem: messageOf(error) }));
  if ("problem" in outcome) {
    const problem = errors[0] ?? outcome.problem;
    logEvent("warn", "restore", { id: visit.id, problem });
    return jsonResponse(409, `Nothing was changed: ${problem}.`);
  }
  logEvent("info", "restore", { id: visit.id, ...outcome.facts });
  return jsonResponse(200, "Restored", { ...outcome.facts, rows: outcome.rows });
}

function jsonResponse(
  status: number,
  message: string,
  facts: object = {},
  more: Record<string, string> = {},
): Response {
  return Response.json({ message, ...facts }, { status, headers: { ...HEADERS, ...more } });
}

function isHolder(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
