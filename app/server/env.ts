/** Cloudflare's rate limiting binding, as far as it is used. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The Worker's bindings and settings. What each setting means is in the README. */
export interface Env {
  DB: D1Database;
  /** The first wall against floods, on Cloudflare; elsewhere the app counts in its own memory. */
  RATE_LIMITER?: RateLimiter;
  /** What it lets through, where the app counts itself. */
  REQUESTS_PER_MINUTE?: string;
  SESSION_SECRET?: string;
  PUBLIC_ORIGIN?: string;
  TRUST_PROXY?: string;
  /** How long a body may send nothing, in milliseconds; for tests. */
  BODY_IDLE_MS?: string;
}
