import { databaseMessage } from "#app/db/client.server.ts";
import { getRequestId } from "./request-id.server.ts";

/*
 * The log: one JSON line for each request, each security event, each message that was not mailed at once, and each
 * unexpected error. It names things by their ids and routes by their modules. No line holds an e-mail address,
 * a password, a token, a value that was bound to a statement, or anything else that somebody typed.
 */

/** What the log knows of a request while it is being answered. */
export interface Visit {
  /** By which a person and the log can speak of the same request. */
  readonly id: string;
  readonly method: string;
  /** The route's module, never the address, which can hold a token. */
  readonly route: string;
  /** Who asks, once somebody looked. */
  userId: number | null;
}

type Level = "info" | "warn" | "error";

/** What is written down of who got in, who did not, and what cannot be undone; `warn` where something was refused. */
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
  verification_requested: "info",
  verification_withdrawn: "info",
  verified: "info",
  cross_site_refused: "warn",
  backup_refused: "warn",
  admin_refused: "warn",
  rate_limited: "warn",
  user_deleted_by_admin: "info",
  record_deleted_by_admin: "info",
} as const satisfies Record<string, Level>;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

export const SECURITY_EVENT_NAMES = Object.keys(SECURITY_EVENTS);

/** What a line may say beside its event: ids, counts, answers of yes and no. Text has no place here, by its type. */
type Facts = { kind?: string; [fact: string]: number | boolean | string | null | undefined };

/**
 * One line for a security event, with the request that it belongs to. Call it where the thing has happened or was
 * refused, with the ids that it is about: `securityEvent(context, "login_failed", { account: 7 })`. Who asks is added by
 * itself, and a 429 or a cross-site refusal is written by the request checks.
 */
export function securityEvent({ visit }: { visit: Visit }, what: SecurityEvent, facts: Facts = {}): void {
  const { id, route, userId } = visit;
  write(SECURITY_EVENTS[what], "security", { what, id, route, user: userId, ...facts });
}

/** One line for a request that was answered. `ms` is the time until its answer, as far as the runtime's clock tells. */
export function logRequest({ id, method, route, userId }: Visit, status: number, ms: number): void {
  write("info", "request", { id, method, route, status, ms, user: userId });
}

/** One line for something of the app itself that is worth knowing and is no error. It holds ids, never addresses or tokens. */
export function logEvent(level: Level, event: string, facts: object): void {
  write(level, event, facts);
}

/**
 * One line for an unexpected error. A failed query's own message carries its bound values (names, addresses,
 * hashes), so of those only the database's words are written, and of any stack only its frames.
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

function write(level: Level, event: string, facts: object): void {
  // Outside of the built Worker (in development, in a command) the terminal is for what goes wrong.
  if (level === "info" && !import.meta.env?.PROD) return;
  const line = JSON.stringify({ level, time: new Date().toISOString(), event, ...facts });
  if (level === "error") console.error(line);
  else console.log(line);
}

/** Of a path only our own words and ids: whatever else is in it may be a token. */
function plainPath(request: Request): string {
  return new URL(request.url).pathname
    .split("/")
    .map((part) => (/^([a-z-]{0,20}|\d{1,15})$/.test(part) ? part : ":token"))
    .join("/");
}

/** An error's message is the runtime's or a package's own; should one quote what it was given, that stays out. */
function withoutSecrets(message: string): string {
  // Word by word: `\S+@` would look for the sign from every letter of a long word.
  const words = message.split(/(\s+)/).map((word) => (word.includes("@") ? "[address]" : word));
  return words.join("").replace(/[\w-]{32,}/g, "[secret]");
}
