import { METHOD_NOT_ALLOWED } from "#app/errors.ts";
import { readClient } from "#app/server/client-address.server.ts";
import type { Env } from "#app/server/env.ts";
import { type SecurityEvent, securityEvent, type Visit } from "#app/server/logger.server.ts";
import { MemoryLimiter } from "#app/server/memory-limiter.ts";
import { networkFromAddress } from "#app/server/network.ts";
import { isSameSecret } from "#app/server/secrets.server.ts";

/** The number of wrong tokens that one network may send in `PERIOD_S` seconds. The right token is not counted. */
const WRONG_TOKENS = 10;
const PERIOD_S = 60;

/** One limit for all endpoints, so that each further endpoint allows no further guesses. */
const wrongTokens = new MemoryLimiter(WRONG_TOKENS, PERIOD_S);

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** What an endpoint for programs needs, such as /backup: its methods, and the token of a setting. */
interface Guarded {
  methods: string[];
  token: string;
  /** The security event of a wrong token. */
  refused: SecurityEvent;
}

/**
 * Returns null for a request with one of the methods and the token, else the answer: 405, 401, or 429 after too many wrong
 * tokens from a network. The client's address alone proves nothing, because all requests can come through a proxy on this
 * machine.
 */
export async function refusalOf(
  request: Request,
  { methods, token, refused }: Guarded,
  env: Pick<Env, "TRUST_PROXY">,
  visit: Visit,
): Promise<Response | null> {
  if (!methods.includes(request.method)) return jsonResponse(405, METHOD_NOT_ALLOWED, { Allow: methods.join(", ") });
  if (isHolder(request, token)) return null;
  const { success } = await wrongTokens.limit({ key: networkFromAddress(readClient(request, env).address) });
  securityEvent({ visit }, success ? refused : "rate_limited");
  if (success) return jsonResponse(401, "Unauthorized", { "WWW-Authenticate": "Bearer" });
  return jsonResponse(429, "Too many wrong tokens came from your network. Please try again in a minute.", {
    "Retry-After": String(PERIOD_S),
  });
}

/** A repeated header is a list here, which is no token. */
function isHolder(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
  return isSameSecret(given, token);
}

/** An answer to a program: a message, and facts beside it. */
export function jsonResponse(
  status: number,
  message: string,
  more: Record<string, string> = {},
  facts: object = {},
): Response {
  return Response.json({ message, ...facts }, { status, headers: { ...HEADERS, ...more } });
}

/** The same headers for an answer that is not JSON. */
export function plainResponse(body: BodyInit, type: string): Response {
  return new Response(body, { headers: { ...HEADERS, "Content-Type": type } });
}
