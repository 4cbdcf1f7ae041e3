import type { Door } from "./guard.server.ts";
import { networkOf } from "./network.ts";
import { Refusal } from "./refusal.ts";

/** Cloudflare's rate limiting binding, as far as it is used. */
export interface FloodLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/**
 * The first of two walls (limits.server.ts is the second): whoever floods the doors that strangers may use, from one
 * network, is refused before D1 is asked. How much a flood is stands in wrangler.toml. Where the binding is missing
 * nobody is refused here.
 * @throws {Refusal} 429
 */
export async function refuseFlood(
  request: Request,
  door: Door,
  limiter: FloodLimiter | undefined,
  address: string | null,
): Promise<void> {
  if (!limiter || !isFloodable(request, door)) return;
  const { success } = await limiter.limit({ key: networkOf(address) });
  if (!success) throw new Refusal(429, "There are too many requests from your network. Please try again in a minute.");
}

/** Where strangers can make the app work: pages and calls with a token, and every public form. */
function isFloodable({ method }: Request, { handle, isUnknown }: Door): boolean {
  if (handle.access !== "public" || isUnknown) return false;
  return handle.secret === true || (method !== "GET" && method !== "HEAD");
}

/** After how many seconds a flood is over: the period in wrangler.toml. */
export const FLOOD_SECONDS = 60;
