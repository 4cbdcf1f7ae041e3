/** How a test starts the app. */
export interface Settings {
  /** The Worker's environment, except its database. */
  env?: Record<string, string>;
  /** The public origin. */
  origin?: string;
  /** Serves the static files too. */
  assets?: boolean;
  /** Cloudflare's rate limiting binding, with that many requests a minute. Without it there is no such limit. */
  rateLimit?: number;
  /** Hashes passwords at almost no cost, for tests of other subjects. */
  cheapHashes?: boolean;
  /** Certificate authorities beside the runtime's own, in PEM; in Miniflare alone. */
  authorities?: string[];
  /**
   * Pieces of SQL statements that are replaced on their way to the database: a broken app, which a test must detect.
   */
  sabotage?: [from: string, to: string][];
}

/** Tests send more requests from one network than users do. */
export const NO_RATE_LIMIT = "1000000";

/** Where requests go: Miniflare or the executable. */
export interface Transport {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  /** The log output so far, in chunks. */
  readonly log: string[];
  tick(at: Date): Promise<void>;
  readonly url?: Promise<URL>;
}
