import { type AppLoadContext, type Cookie, createCookie } from "@remix-run/cloudflare";
import type { Db } from "#app/db/client.server.ts";
import { type Connection, openConnection, type ReadPoint } from "#app/db/session.server.ts";
import { type Client, readClient } from "./client-address.server.ts";
import type { Env } from "./env.ts";
import type { Flash } from "./flash.ts";
import type { Visit } from "./logger.server.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import { isSafe, readToken } from "./request-line.ts";
import type { RouteHandle } from "./route.ts";
import type { OpenStream } from "./stream.server.ts";
import type { Place } from "./turn-queue.ts";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }

  /** The load context of a request; every loader and action gets it. */
  interface AppLoadContext {
    readonly db: Db;
    /** The connection behind `db`. */
    readonly connection: Connection;
    /** The time of the request, used by every rule that needs the current time. */
    readonly now: Date;
    /** The scheme and host of the app, without a slash at the end. */
    readonly origin: string;
    /** The URL of the request. */
    readonly url: URL;
    /** The client's time zone as an IANA name, as estimated by Cloudflare. */
    readonly timeZone: string;
    /** The client's address, place and browser, if known. */
    readonly client: Client;
    /** Whether errors are JSON: `MatchedRoute.isApi`. */
    readonly isApi: boolean;
    /** The id of the matched route (app/routes.ts), or null outside a route. */
    readonly routeId: string | null;
    /** The kind of record that the matched route is for, or null if it is for none or several. */
    readonly kind: string | null;
    readonly cookies: Cookies;
    /** The session cookie's value, unchecked; null with an API token. */
    readonly sessionToken: string | null;
    /**
     * The token of an API call with an Authorization header, unchecked; empty if the header holds none. The call's cookies
     * are ignored. Null without that header, for calls that sign in or out, and for pages, which are for browsers.
     */
    readonly apiToken: string | null;
    /** The route's settings: who may open it, and what it lets a token do. */
    readonly handle: RouteHandle;
    /** The flash message of the previous response. */
    readonly flash: Flash | null;
    /** The bindings and settings, for the list of what is configured (app/admin/set-up-items.ts). */
    readonly env: Env;
    /** SESSION_SECRET, from which tokens and hashes are derived. */
    readonly secret: string;
    /** SIGNING_KEY, unchecked; null without one. */
    readonly signingKey: string | null;
    /** The host of the app: with the log's own id its name in checkpoints. */
    readonly logOrigin: string;
    /** True once the viewer was looked up. A private route must not respond before. */
    viewerWasChecked: boolean;
    /** Whether the viewer was looked up by a token that may only read: an answer then holds no secret (`secretFor`). */
    isReadOnly: boolean;
    /** Reports that the client has disconnected. */
    readonly signal: AbortSignal;
    /** The turn of a heavy request. */
    turn: Place | null;
    /** The parts that the response is made of while it is sent, or of a page what is in place of `STREAMED`. */
    stream: OpenStream | null;
    /** The seconds for `Retry-After` of a 429 or 503. */
    retryAfter: number | null;
    /** The request's data for the log. */
    readonly visit: Visit;
    /** Work to do after the response; errors are logged (entry.worker.ts). */
    readonly afterwards: (() => Promise<unknown>)[];
  }
}

/** The origin of links: `PUBLIC_ORIGIN`, or without it the request's own, which is then this machine's (`isHostAccepted`). */
export function getOrigin(request: Request, env: Env): string {
  return new URL(env.PUBLIC_ORIGIN || request.url).origin;
}

/** The name of the audit log in its checkpoints: the host of `PUBLIC_ORIGIN`. It never comes from a request. */
export function getLogOrigin({ PUBLIC_ORIGIN }: Pick<Env, "PUBLIC_ORIGIN">): string {
  return PUBLIC_ORIGIN && URL.canParse(PUBLIC_ORIGIN) ? new URL(PUBLIC_ORIGIN).host : "localhost";
}

/** SIGNING_KEY, unchecked; null without one. */
export function getSigningKey({ SIGNING_KEY }: Pick<Env, "SIGNING_KEY">): string | null {
  return SIGNING_KEY?.trim() || null;
}

/**
 * Chooses the database that a request reads from. Requests that change data, hold a secret or must be fresh read from
 * the primary; others from any replica that has the user's last write.
 */
function chooseReadPoint(request: Request, { secret, fresh }: RouteHandle, bookmark: string | null): ReadPoint {
  return !isSafe(request) || secret || fresh ? "first-primary" : (bookmark ?? "first-unconstrained");
}

/** For work outside a route. */
const NO_ROUTE = { id: null, handle: { fresh: true }, isApi: false, kind: null } as const;

/** Builds the load context of one request. `secret` signs cookies. */
export async function loadContext(
  request: Request,
  env: Env,
  secret: string,
  mail: AppLoadContext["mail"],
  visit: Visit,
  {
    id: routeId,
    handle,
    isApi,
    kind,
  }: Pick<MatchedRoute, "handle" | "isApi" | "kind"> & { id: string | null } = NO_ROUTE,
): Promise<AppLoadContext> {
  const origin = getOrigin(request, env);
  const cookies = cookiesFor(origin, secret);
  const apiToken = isApi && handle.token !== "ignored" ? readToken(request) : null;
  const header = apiToken === null ? request.headers.get("Cookie") : null;
  const connection = openConnection(env.DB, chooseReadPoint(request, handle, await cookies.bookmark.parse(header)));
  return {
    db: connection.db,
    connection,
    now: new Date(),
    origin,
    url: new URL(request.url),
    timeZone: typeof request.cf?.timezone === "string" ? request.cf.timezone : "UTC",
    client: readClient(request, env),
    isApi,
    routeId,
    kind,
    cookies,
    sessionToken: await cookies.session.parse(header),
    apiToken,
    handle,
    // An unsigned cookie is ignored.
    flash: (await cookies.flash.parse(header).catch(() => null)) || null,
    env,
    secret,
    signingKey: getSigningKey(env),
    logOrigin: getLogOrigin(env),
    mail,
    viewerWasChecked: false,
    isReadOnly: false,
    signal: request.signal,
    turn: null,
    stream: null,
    retryAfter: null,
    visit,
    afterwards: [],
  };
}

interface Cookies {
  /** An opaque token; D1 stores its hash and its user. */
  session: Cookie;
  /** A message for the next page, signed, so that no one can forge it. */
  flash: Cookie;
  /** The D1 bookmark of the user's last write, signed, so that D1 gets only its own bookmarks. */
  bookmark: Cookie;
  /**
   * Says that a user has signed out here, until a script has deleted what that user typed. A script can read and delete
   * it; its name has the user's id, so that one sign-out does not replace another.
   */
  signedOut(userId: number): Cookie;
  /** Says that a user without a name did not want to give one when asked here. */
  nameSkipped(userId: number): Cookie;
}

/** Longer than the lag of any replica. */
const BOOKMARK_SECONDS = 24 * 60 * 60;

/** As long as browsers keep a cookie (RFC 6265bis): the next page with a script may be months away. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;

/**
 * The app's cookies. Over https they carry the `__Host-` prefix, which ties them to this host, this path and
 * https. Over http (a laptop, a test) only browsers accept `Secure` cookies for localhost, so neither is used.
 */
export function cookiesFor(origin: string, secret: string): Cookies {
  const secure = origin.startsWith("https:");
  const prefix = secure ? "__Host-" : "";
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  return {
    session: opaque(createCookie(`${prefix}session`, options)),
    flash: createCookie(`${prefix}flash`, { ...options, secrets: [secret], maxAge: 60 }),
    bookmark: opaque(createCookie(`${prefix}bookmark`, { ...options, secrets: [secret], maxAge: BOOKMARK_SECONDS })),
    signedOut: (userId) =>
      createCookie(`${prefix}signed-out-${userId}`, { ...options, httpOnly: false, maxAge: LONGEST_SECONDS }),
    nameSkipped: (userId) =>
      opaque(createCookie(`${prefix}name-skipped-${userId}`, { ...options, maxAge: LONGEST_SECONDS })),
  };
}

/** Remix encodes a cookie's value as JSON in base64. An invalid value is read as null instead of throwing. */
function opaque(cookie: Cookie): Cookie {
  return {
    ...cookie,
    parse: async (header) => {
      const value = await cookie.parse(header).catch(() => null);
      return typeof value === "string" && value !== "" ? value : null;
    },
  };
}
