/** Cloudflare's rate limiting binding, as far as it is used. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The facts about a response that the metrics count. */
export interface ObservedResponse {
  pattern: string;
  method: string;
  status: number;
  /** The time until the response, in milliseconds. */
  ms: number;
  /** The acts that met a conflict with another one, once for each time. */
  conflicts: string[];
}

/** A backup of the database; null where its place does not give the value. */
export interface StoredBackup {
  place: "folder" | "s3" | "time_travel";
  at: Date | null;
  encrypted: boolean | null;
  bytes: number | null;
}

/** How backups are taken each night. */
interface BackupPlan {
  /** The time of day; null for none. */
  at: string | null;
  /** Whether each is copied to another place, and whether they are encrypted. */
  isCopied: boolean;
  isEncrypted: boolean;
  /** How many attempts have failed in a row. */
  failures: number;
}

/** The facts that a self-hosting server passes to the Worker. */
export interface SelfHost {
  /** The last backups of each place, the newest first. */
  backups(): Promise<StoredBackup[]>;
  /** Null where none are taken. */
  plan: BackupPlan | null;
  /** The version of workerd, such as `1.20261117.1`, which names its day. */
  runtime: string;
}

/** The Worker's bindings and settings. docs/settings.md says what each setting means. */
export interface Env {
  DB: D1Database;
  /** Cloudflare's rate limiter; elsewhere the app counts in memory. */
  RATE_LIMITER?: RateLimiter;
  /** The rate limit if the app counts itself. */
  REQUESTS_PER_MINUTE?: string;
  SESSION_SECRET?: string;
  /** Those of before, with commas between them: they recognise and sign nothing (app/server/secrets.server.ts). */
  EARLIER_SECRETS?: string;
  PUBLIC_ORIGIN?: string;
  TRUST_PROXY?: string;
  /** Whether requests come through a proxy although `TRUST_PROXY` is not set; false on Cloudflare, which is one itself. */
  lacksTrustProxy?: boolean;
  /** The address of an admin for whom the log prints a link that sets a new password. */
  RESET_ADMIN?: string;
  /** The private key of export statements, as a JWK (app/proof/signing-key.ts). */
  SIGNING_KEY?: string;
  /** The limit of the database, in bytes (app/server/database-limit.server.ts). */
  DATABASE_LIMIT?: string;
  /** Called with each response by its route's pattern; set where the app is self-hosted (self-host/metrics). */
  onResponse?: (response: ObservedResponse) => void;
  /** The functions of the server around a self-hosted Worker; missing on Cloudflare. */
  selfHost?: SelfHost;
  /** How long a body may send nothing, in milliseconds; for tests. */
  BODY_IDLE_MS?: string;
}
