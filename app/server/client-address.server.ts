import { oneLine } from "#app/db/plain-text.ts";
import type { Env } from "./env.ts";
import { addressIn } from "./network.ts";

/** From where a request comes, as far as it tells. Each is kept as evidence, so each is bounded. */
export interface Client {
  /** The IP address that Cloudflare saw, or behind a trusted proxy the one that the proxy saw; null if it is none. */
  address: string | null;
  /** City and country, by Cloudflare's estimate. */
  place: string | null;
  /** What the browser says it is. */
  browser: string | null;
}

const PLACE_MAX = 200;
const BROWSER_MAX = 300;

/**
 * From where a request comes (product, "Settled"). The address is Cloudflare's; only where `TRUST_PROXY` is `1`, that
 * is, every request comes through one's own proxy, it is the last of `X-Forwarded-For`: that one the proxy has written,
 * the others anybody can.
 */
export function clientOf(request: Request, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): Client {
  const { headers, cf } = request;
  const forwarded = TRUST_PROXY === "1" ? headers.get("X-Forwarded-For")?.split(",").at(-1) : null;
  return {
    address: addressIn(forwarded ?? headers.get("CF-Connecting-IP")),
    place: text([cf?.city, cf?.country].filter((part) => typeof part === "string").join(", "), PLACE_MAX),
    browser: text(headers.get("User-Agent"), BROWSER_MAX),
  };
}

function text(value: string | null | undefined, max: number): string | null {
  return [...oneLine(value ?? "")].slice(0, max).join("").trim() || null;
}
