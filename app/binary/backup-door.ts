import { createHash, timingSafeEqual } from "node:crypto";
import { logEvent } from "#app/http/log.server.ts";
import type { Database } from "./storage.ts";

/**
 * GET /backup and POST /restore, for who holds `BACKUP_TOKEN`; or null for any other request, and where there is no such
 * setting: those addresses then do not exist. A proxy on the same machine makes every request come from there, so where
 * a request comes from proves nothing.
 */
export async function answerBackup(
  request: Request,
  token: string | null,
  database: DurableObjectStub<Database>,
): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const wanted = { "/backup": "GET", "/restore": "POST" }[pathname];
  if (!token || !wanted) return null;
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  const say = (status: number, message: string, more = {}) =>
    Response.json({ message }, { status, headers: { ...headers, ...more } });
  if (request.method !== wanted) return say(405, "This address does not take that method.", { Allow: wanted });
  if (!isHolder(request, token)) return say(401, "Unauthorized", { "WWW-Authenticate": "Bearer" });
  if (pathname === "/backup") {
    logEvent("info", "backup", {});
    return new Response(await database.backup(), { headers: { ...headers, "Content-Type": "application/sql" } });
  }
  if (!request.body) return say(400, "Send a backup as the body.");
  const problem = await database.restore(request.body);
  logEvent(problem ? "warn" : "info", "restore", problem ? { problem } : {});
  return problem ? say(409, `Nothing was changed: ${problem}.`) : say(200, "Restored");
}

function isHolder(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(token));
}
