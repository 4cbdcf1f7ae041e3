import { AppError } from "#app/errors.ts";
import type { Env, RateLimiter } from "./env.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import { networkOf } from "./network.ts";
import type { MatchedRoute } from "./request-checks.server.ts";

/**
 * So many requests in so many seconds are no flood yet: the figures in wrangler.toml. When a crew of 300 behind one
 * address logs in within a minute, each may mistype once.
 */
export const RATE_LIMIT_REQUESTS = 600;
export const RATE_LIMIT_SECONDS = 60;

/** No key is longer, in characters: a client chooses its address. */
const KEY_MAX = 200;

/** Counts where Cloudflare does not: made at the first request, when the setting is known. */
let ownLimiter: RateLimiter | null = null;

/**
 * The first of two walls (limits.server.ts is the second): whoever floods the matchedRoutes that strangers may use, from one
 * network, is refused before D1 is asked.
 * @throws {AppError} 429
 */
export async function checkRateLimit(
  request: Request,
  route: MatchedRoute,
  { RATE_LIMITER, REQUESTS_PER_MINUTE }: Env,
  address: string | null,
): Promise<void> {
  const key = keyOf(request, route, networkOf(address));
  if (!key) return;
  ownLimiter ??= new MemoryLimiter(Number(REQUESTS_PER_MINUTE) || RATE_LIMIT_REQUESTS, RATE_LIMIT_SECONDS);
  const { success } = await (RATE_LIMITER ?? ownLimiter).limit({ key });
  if (!success) throw new AppError(429, "There are too many requests from your network. Please try again in a minute.");
}

/**
 * What a request is counted for, or null where it is not counted. Forms and calls that are open to strangers are counted
 * for the network. A link with a token is counted by itself: a supervisor's must open whatever else comes from their
 * network, and how many unknown ones may be tried is counted in D1.
 */
function keyOf({ method, url }: Request, { handle, isUnknown }: MatchedRoute, network: string): string | null {
  if (handle.access !== "public" || isUnknown) return null;
  const { pathname, search } = new URL(url);
  if (handle.secret) return `${network} ${pathname}${search}`.slice(0, KEY_MAX);
  return method === "GET" || method === "HEAD" ? null : network;
}
