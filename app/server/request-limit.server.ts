import { createHash } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { AppError } from "#app/errors.ts";
import type { Env, RateLimiter } from "./env.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import { networkFromAddress } from "./network.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { isSafe, readToken } from "./request-line.ts";
import { type Place, TurnQueue } from "./turn-queue.ts";

/** The rate limit, also in wrangler.toml: a crew of 300 behind one address can log in within a minute, each with one retry. */
export const RATE_LIMIT_REQUESTS = 600;
export const RATE_LIMIT_SECONDS = 60;

/**
 * The limits of heavy requests: a few run at once, and one of each visitor. Thirty of the largest account would need
 * too much memory.
 */
const HEAVY = {
  atOnce: 2,
  atOnceForOne: 1,
  places: 60,
  placesForOne: 50, // a crew behind one address, right after a start
  waitMs: 3_000,
  abandonedMs: 20_000,
  refusal: "Too much is being worked on at the moment. Please try again in a minute.",
};

/**
 * The size of a body that makes its request heavy, in bytes: 120 records of the largest texts need as much memory as a
 * long list.
 */
const LARGE_BODY = 100_000;

/** Requests of supervisors and auditors (`public`) do not wait behind those of accounts. */
const heavyRequests = { public: new TurnQueue(HEAVY), private: new TurnQueue(HEAVY) };

/** How many sessions and tokens are remembered: about 2 MB. */
const KNOWN_MAX = 10_000;

/** The accounts of the sessions and tokens that were found valid here, those used last at the end. */
const knownAccounts = new Map<string, number>();

/** The most characters of a token or code that are part of a key: a client chooses the URL. */
const SECRET_MAX = 200;

/** The limiter used without Cloudflare's, created at the first request, when the setting is known. */
let ownLimiter: RateLimiter | null = null;

/**
 * Limits the rate of requests from one network to public routes, and of the calls with one token, before D1 is queried. Attempts
 * are limited exactly in attempt-limits.server.ts.
 * @throws {AppError} 429
 */
export async function checkRateLimit(
  request: Request,
  route: MatchedRoute,
  { RATE_LIMITER, REQUESTS_PER_MINUTE }: Env,
  address: string | null,
): Promise<void> {
  const token = route.isApi && route.handle.access !== "public" ? readToken(request) : null;
  const ofToken = token && `token ${createHash("sha256").update(token).digest("base64url")}`;
  const key = ofToken || rateLimitKey(request, route, networkFromAddress(address));
  if (!key) return;
  ownLimiter ??= new MemoryLimiter(Number(REQUESTS_PER_MINUTE) || RATE_LIMIT_REQUESTS, RATE_LIMIT_SECONDS);
  const { success } = await (RATE_LIMITER ?? ownLimiter).limit({ key });
  if (success) return;
  throw new AppError(
    "rate_limited",
    ofToken
      ? "This token made too many calls in a minute. Wait for the seconds of Retry-After, then go on."
      : "There are too many requests from your network. Please try again in a minute.",
  );
}

type Credentials = Pick<AppLoadContext, "apiToken" | "sessionToken">;

/**
 * Waits for a turn, if the request is heavy: by its route, by its large body, or because it searches a log, which reads every
 * record of the account by no index. The turn ends with the response; the parts of a stream have their own (`openStream`).
 * @throws {AppError} 429
 */
export async function takeTurn(
  context: Credentials & Pick<AppLoadContext, "signal">,
  { handle }: MatchedRoute,
  address: string | null,
  request: Pick<Request, "url" | "method" | "headers">,
): Promise<Place | null> {
  const isSearch = handle.access !== "public" && Boolean(new URL(request.url).searchParams.get("q"));
  const isHeavyRoute = handle.heavy === "reads" ? isSafe(request) : handle.heavy;
  if (!isHeavyRoute && !isSearch && !hasLargeBody(request)) return null;
  if (handle.access === "public") return heavyRequests.public.enter(networkFromAddress(address), context.signal);
  // The account of a session or token that was valid here before. Invented ones are one visitor, which gets nothing: the network.
  // It may have all turns at once, because right after a start it is a whole crew.
  const account = knownAccounts.get(keyOf(context));
  return account === undefined
    ? heavyRequests.private.enter(networkFromAddress(address), context.signal, HEAVY.atOnce)
    : heavyRequests.private.enter(accountKey(account), context.signal);
}

/** A body without `Content-Length` may be large. */
function hasLargeBody(request: Pick<Request, "method" | "headers">): boolean {
  const length = request.headers.get("Content-Length");
  return length === null ? request.headers.has("Transfer-Encoding") : Number(length) >= LARGE_BODY;
}

/** Notes the account of a request's session or token once it was looked up; null for none. The request's turn is its account's. */
export function noteAccount(context: Credentials & Pick<AppLoadContext, "turn">, account: number | null): void {
  const key = keyOf(context);
  knownAccounts.delete(key);
  if (account === null) return;
  knownAccounts.set(key, account);
  const [oldest] = knownAccounts.keys();
  if (knownAccounts.size > KNOWN_MAX && oldest !== undefined) knownAccounts.delete(oldest);
  context.turn?.belongTo(accountKey(account));
}

const keyOf = ({ apiToken, sessionToken }: Credentials) => (apiToken === null ? `session ${sessionToken}` : apiToken);
const accountKey = (account: number) => `account ${account}`;

/**
 * The key that a request is counted under, or null if it is not counted. Public forms and API calls count for the
 * network. A link counts by its token or code, on its page and its calls together, so that a supervisor's link opens
 * whatever else comes from their network; unknown tokens are limited in D1.
 */
function rateLimitKey(
  request: Request,
  { handle, params, pattern, isUnknown }: MatchedRoute,
  network: string,
): string | null {
  if (handle.access !== "public" || isUnknown) return null;
  if (!handle.secret) return isSafe(request) ? null : network;
  // The one parameter that the route reads: any other would be a new key for each value.
  const parameter = pattern === "/check" ? "code" : "token";
  const secret = params.token ?? params.code ?? new URL(request.url).searchParams.get(parameter) ?? "";
  return `${network} ${oneSpelling(secret)}`;
}

/**
 * The same text for every spelling of a token or code, also those that no route reads: a client could otherwise have the
 * limit again for each. That two links have one key is as improbable as a guessed one.
 */
function oneSpelling(secret: string): string {
  // First in upper case, as a code is read (app/proof/export-code.server.ts): a dotless i, for one, is an I there.
  const plain = secret.slice(0, SECRET_MAX).normalize("NFKC").toUpperCase().toLowerCase();
  return plain
    .replace(/[^a-z\d]/g, "")
    .replace(/[il]/g, "1")
    .replaceAll("o", "0");
}
