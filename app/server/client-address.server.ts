import { oneLine } from "#app/plain-text.ts";
import type { Env } from "./env.ts";
import { parseAddress } from "./network.ts";

/** The facts about a request's client. They are stored as evidence, so the lengths are limited. */
export interface Client {
  /** The IP address seen by Cloudflare or by a trusted proxy; null if it is invalid. */
  address: string | null;
  /** City and country, as estimated by Cloudflare. */
  place: string | null;
  /** The `User-Agent`. */
  browser: string | null;
}

const PLACE_MAX = 200;
const BROWSER_MAX = 300;

/**
 * Reads a request's client. The address is Cloudflare's. If `TRUST_PROXY` is `1`, every request comes
 * through the operator's proxy, and it is the last of `X-Forwarded-For`: only that one was written by the proxy.
 */
export function readClient(request: Request, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): Client {
  const { headers, cf } = request;
  const forwarded = TRUST_PROXY === "1" ? headers.get("X-Forwarded-For")?.split(",").at(-1) : null;
  return {
    address: parseAddress(forwarded ?? headers.get("CF-Connecting-IP")),
    place: text([cf?.city, cf?.country].filter((part) => typeof part === "string").join(", "), PLACE_MAX),
    browser: text(headers.get("User-Agent"), BROWSER_MAX),
  };
}

function text(value: string | null | undefined, max: number): string | null {
  return [...oneLine(value ?? "")].slice(0, max).join("").trim() || null;
}
