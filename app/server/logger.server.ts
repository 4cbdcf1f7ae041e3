import { databaseMessage } from "#app/db/client.server.ts";

/*
 * The log: one JSON line for each request, each security event, each email that was not sent at once, and each unexpected
 * error. It contains ids and route modules, and no email address, password, token, bound value or other typed text.
 */

/** The data of a request for the log. */
export interface Visit {
  /** The request's id, which users can report. */
  readonly id: string;
  readonly method: string;
  /** The route's module, not the URL, which can contain a token. */
  readonly route: string;
  /** The signed-in user, once looked up. */
  userId: number | null;
  /** The names of the acts that had to be decided again, once for each time (app/db/commit.server.ts). */
  readonly conflicts: string[];
}

type Level = "info" | "warn" | "error";

/** The security events: sign-ins, irreversible actions, and refusals, which have the level `warn`. */
const SECURITY_EVENTS = {
  registered: "info",
  registration_refused: "warn",
  login: "info",
  login_failed: "warn",
  logout: "info",
  sessions_ended: "info",
  account_changed: "info",
  account_deleted: "info",
  password_changed: "info",
  password_refused: "warn",
  reset_asked: "info",
  reset_used: "info",
  reset_refused: "warn",
  token_made: "info",
  token_ended: "info",
  token_refused: "warn",
  service_token_used: "info",
  email_change_asked: "info",
  email_changed: "info",
  email_change_refused: "warn",
  own_mailbox_refused: "warn",
  email_confirmation_asked: "info",
  email_confirmed: "info",
  email_confirmation_refused: "warn",
  verification_requested: "info",
  verification_withdrawn: "info",
  verified: "info",
  disowned: "info",
  confirmed: "info",
  technician_unknown: "info",
  exported: "info",
  export_closed: "info",
  unsubscribed: "info",
  subscribed_again: "info",
  cross_site_refused: "warn",
  backup_refused: "warn",
  metrics_refused: "warn",
  admin_refused: "warn",
  rate_limited: "warn",
  person_changed_by_admin: "info",
  user_deleted_by_admin: "info",
  record_deleted_by_admin: "info",
  record_restored_by_admin: "info",
  emails_sent_again_by_admin: "info",
  log_check_started: "info",
  supervisor_erased_by_admin: "info",
  emails_allowed_by_admin: "info",
} as const satisfies Record<string, Level>;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

export const SECURITY_EVENT_NAMES = Object.keys(SECURITY_EVENTS);

/** The data of an event: ids, counts and booleans, never typed text. */
type Facts = { kind?: string; [fact: string]: number | boolean | string | null | undefined };

/**
 * Logs a security event with its request and user. Call it after the action or the refusal, with the ids concerned:
 * `securityEvent(context, "login_failed", { account: 7 })`. The request checks log each 429 and cross-site refusal.
 */
export function securityEvent({ visit }: { visit: Visit }, what: SecurityEvent, facts: Facts = {}): void {
  const { id, route, userId } = visit;
  write(SECURITY_EVENTS[what], "security", { what, id, route, user: userId, ...facts });
}

/** Logs a request. `ms` is the time until its response, by the runtime's clock. */
export function logRequest({ id, method, route, userId }: Visit, status: number, ms: number): void {
  write("info", "request", { id, method, route, status, ms, user: userId });
}

/** Logs an event of the app that is no error, with ids and without addresses or tokens. */
export function logEvent(level: Level, event: string, facts: object): void {
  write(level, event, facts);
}

/**
 * Logs an unexpected error. Drizzle's message of a failed query contains its bound values (names, addresses, hashes), so
 * only the database's own message is logged, and only the frames of a stack.
 */
export function logError(error: unknown, request?: Request): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const failedQuery = message.startsWith("Failed query");
  write("error", "error", {
    id: request && getRequestId(request),
    method: request?.method,
    path: request && plainPath(request),
    name,
    message: databaseMessage(error) ?? (failedQuery ? "a query failed" : withoutSecrets(message)),
    at: stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  });
}

/**
 * Throws the first error of work that ran side by side, and logs the others, which would be lost.
 * @throws {unknown} the first error, if any
 */
export function throwFirst(results: PromiseSettledResult<unknown>[]): void {
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const error of errors.slice(1)) logError(error);
  if (errors.length > 0) throw errors[0];
}

/**
 * Does the same work for each item, one after the other. An error stops none of the others.
 * @throws {unknown} the first error, after all; the others are logged
 */
export async function forEachItem<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const results: PromiseSettledResult<unknown>[] = [];
  for (const item of items) results.push(...(await Promise.allSettled([work(item)])));
  throwFirst(results);
}

function write(level: Level, event: string, facts: object): void {
  // In development and in commands only warnings and errors are printed.
  if (level === "info" && !import.meta.env?.PROD) return;
  const now = new Date();
  // Before its first request workerd has no clock, and says 1970.
  const time = now.getTime() === 0 ? undefined : now.toISOString();
  const line = JSON.stringify({ level, time, event, ...facts });
  if (level === "error") console.error(line);
  else console.log(line);
}

/** A path with only fixed words and ids: any other part may be a token. */
function plainPath(request: Request): string {
  return new URL(request.url).pathname
    .split("/")
    .map((part) => (/^([a-z-]{0,20}|\d{1,15})$/.test(part) ? part : ":token"))
    .join("/");
}

/** Removes addresses and tokens from a message of the runtime or a package, which may quote its input. */
export function withoutSecrets(message: string): string {
  // Split into words first: `\S+@` takes quadratic time on a long word.
  const words = message.split(/(\s+)/).map((word) => (word.includes("@") ? "[address]" : word));
  return words.join("").replace(/[\w-]{32,}/g, "[secret]");
}

/** Cloudflare's request id: sixteen hexadecimal digits and the data centre, 8f3c0a1b2c3d4e5f-OSL. */
const RAY = /^[0-9a-f]{16}(?=$|-[A-Z]{3}$)/;

/**
 * Returns the request with an id, which users can report and the log contains. On Cloudflare the edge sets it in `Cf-Ray`,
 * which no client can choose; elsewhere it is created here, in the same header.
 */
export function withRequestId(request: Request): Request {
  if (RAY.test(request.headers.get("Cf-Ray") ?? "")) return request;
  const copy = new Request(request);
  copy.headers.set("Cf-Ray", newRequestId());
  return copy;
}

/** The id that `withRequestId` set. */
export function getRequestId(request: Request): string {
  return RAY.exec(request.headers.get("Cf-Ray") ?? "")?.[0] ?? "none";
}

export function newRequestId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-16);
}
