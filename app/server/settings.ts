import type { Env } from "./env.ts";

/** The minimum length against guessing, in bytes; `openssl rand -base64 32` prints 44. */
const SECRET_BYTES = 32;

/**
 * Returns what is wrong with the settings, for the operator, or null. The Worker checks them on every request; `npm start`,
 * `npm run dev` and the executable also check them at start.
 */
export function settingsProblem({
  SESSION_SECRET,
  PUBLIC_ORIGIN,
  TRUST_PROXY,
}: Pick<Env, "SESSION_SECRET" | "PUBLIC_ORIGIN" | "TRUST_PROXY">): string | null {
  const makeOne = "Make one with `openssl rand -base64 32` and keep it.";
  if (!SESSION_SECRET) return `SESSION_SECRET is missing. ${makeOne}`;
  if (new TextEncoder().encode(SESSION_SECRET).length < SECRET_BYTES) {
    return `SESSION_SECRET is too short: it must have ${SECRET_BYTES} bytes or more. ${makeOne}`;
  }
  if (PUBLIC_ORIGIN && !(/^https?:\/\/[^/\\?#@\s]+\/?$/.test(PUBLIC_ORIGIN) && URL.canParse(PUBLIC_ORIGIN))) {
    return `PUBLIC_ORIGIN must be scheme and host, such as https://hours.example.com; it is ${PUBLIC_ORIGIN}`;
  }
  if (TRUST_PROXY && TRUST_PROXY !== "1") {
    return `TRUST_PROXY must be 1, or not set without a proxy of your own in front of the app; it is ${TRUST_PROXY}`;
  }
  return null;
}
