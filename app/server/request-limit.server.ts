import { AppError } from "#app/errors.ts";
import type { Env, RateLimiter } from "./env.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import { networkFromAddress } from "./network.ts";
import type { MatchedRoute } from "./request-checks.server.ts";

/** The rate limit, also in wrangler.toml: a crew of 300 behind one address can log in within a minute, each with one retry. */
export const RATE_LIMIT_REQUESTS = 600;
export const RATE_LIMIT_SECONDS = 60;

/** The longest key, in characters: a client chooses the URL. */
const KEY_MAX = 200;

/** The limiter used without Cloudflare's, created at the first request, when the setting is known. */
let ownLimiter: RateLimiter | null = null;

/**
 * Limits the rate of requests from one network to public routes, before D1 is queried. Attempts are limited exactly in
 * attempt-limits.server.ts.
 * @throws {AppError} 429
 */
export async function checkRateLimit(
  request: Request,
  route: MatchedRoute,
  { RATE_LIMITER, REQUESTS_PER_MINUTE }: Env,
  address: string | null,
): Promise<void> {
  const key = rateLimitKey(request, route, networkFromAddress(address));
  if (!key) return;
  ownLimiter ??= new MemoryLimiter(Number(REQUESTS_PER_MINUTE) || RATE_LIMIT_REQUESTS, RATE_LIMIT_SECONDS);
  const { success } = await (RATE_LIMITER ?? ownLimiter).limit({ key });
  if (!success) throw new AppError(429, "There are too many requests from your network. Please try again in a minute.");
}

/**
 * The key that a request is counted under, or null if it is not counted. Public forms and API calls count for the
 * network. A link with a token counts by itself, so that a supervisor's link opens whatever else comes from their
 * network; unknown tokens are limited in D1.
 */
function rateLimitKey({ method, url }: Request, { handle, isUnknown }: MatchedRoute, network: string): string | null {
  if (handle.access !== "public" || isUnknown) return null;
  const { pathname, search } = new URL(url);
  if (handle.secret) return `${network} ${pathname}${search}`.slice(0, KEY_MAX);
  return method === "GET" || method === "HEAD" ? null : network;
}
