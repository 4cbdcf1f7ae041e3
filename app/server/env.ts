/** Cloudflare's rate limiting binding, as far as it is used. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** What the metrics count of a response. */
export interface ObservedResponse {
  pattern: string;
  method: string;
  status: number;
  /** The time until the response, in milliseconds. */
  ms: number;
}

/** The Worker's bindings and settings. docs/settings.md says what each setting means. */
export interface Env {
  DB: D1Database;
  /** Cloudflare's rate limiter; elsewhere the app counts in memory. */
  RATE_LIMITER?: RateLimiter;
  /** The rate limit if the app counts itself. */
  REQUESTS_PER_MINUTE?: string;
  SESSION_SECRET?: string;
  PUBLIC_ORIGIN?: string;
  TRUST_PROXY?: string;
  /** The private key of export statements, as a JWK (app/proof/signing-key.ts). */
  SIGNING_KEY?: string;
  /** Told of each response by its route's pattern; set where the app is self-hosted (self-host/metrics). */
  onResponse?: (response: ObservedResponse) => void;
  /** How long a body may send nothing, in milliseconds; for tests. */
  BODY_IDLE_MS?: string;
}
