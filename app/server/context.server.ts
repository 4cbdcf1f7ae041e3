import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Db } from "#app/db/client.server.ts";
import type { RecordKind } from "#app/db/enumerations.ts";
import { type Connection, openConnection, type ReadPoint } from "#app/db/session.server.ts";
import { type Client, clientOf } from "./client-address.server.ts";
import { type Cookies, cookiesFor } from "./cookies.server.ts";
import type { Env } from "./env.ts";
import type { Flash } from "./flash.ts";
import type { Visit } from "./logger.server.ts";
import { isSafe } from "./method.ts";
import type { MatchedRoute } from "./request-checks.server.ts";
import type { RouteHandle } from "./route.ts";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }

  /** The load context of a request; every loader and action gets it. */
  interface AppLoadContext {
    readonly db: Db;
    /** What `db` goes through. */
    readonly connection: Connection;
    /** The moment of the request: every rule that needs "now" uses this one. */
    readonly now: Date;
    /** Scheme and host under which people reach the app, without a slash at the end. */
    readonly origin: string;
    /** IANA name of the time zone in which the edge believes the client to be. */
    readonly timeZone: string;
    /** From where the request comes, as far as it tells. */
    readonly client: Client;
    /** Whether the request is under /api, where a refusal is JSON with a status, or elsewhere, where it is a page. */
    readonly isApi: boolean;
    /** The kind of record that the matched route is about, or null for a route that is about none or about both. */
    readonly kind: RecordKind | null;
    readonly cookies: Cookies;
    /** The session cookie's value, unchecked. */
    readonly sessionToken: string | null;
    /** What the last answer left to be said on this page. */
    readonly flash: Flash | null;
    /** SESSION_SECRET, for what is made of it anew each time. */
    readonly secret: string;
    /** Becomes true once somebody looked who asks. No private route may answer before. */
    viewerWasChecked: boolean;
    /** After how many seconds somebody who is refused with 429 may try again. */
    retryAfter: number | null;
    /** What the log says of the request. */
    readonly visit: Visit;
    /** What is done when the answer is on its way; it may fail, and is logged then (entry.worker.ts). */
    readonly afterwards: (() => Promise<unknown>)[];
  }
}

/** The origin that links are built on: `PUBLIC_ORIGIN`, or without one the address that the request came to. */
export function originOf(request: Request, env: Env): string {
  return new URL(env.PUBLIC_ORIGIN || request.url).origin;
}

/**
 * From where a request reads. What changes something, holds a secret or must be fresh reads from the primary; the rest
 * from any replica that has what this person wrote last.
 */
function readPointOf(request: Request, { secret, fresh }: RouteHandle, bookmark: string | null): ReadPoint {
  return !isSafe(request) || secret || fresh ? "first-primary" : (bookmark ?? "first-unconstrained");
}

/** For work that no route does. */
const NO_ROUTE = { handle: { fresh: true }, isApi: false, kind: null } as const;

/** Builds the load context of one request. `secret` signs what travels in cookies. */
export async function loadContext(
  request: Request,
  env: Env,
  secret: string,
  post: AppLoadContext["post"],
  visit: Visit,
  { handle, isApi, kind }: Pick<MatchedRoute, "handle" | "isApi" | "kind"> = NO_ROUTE,
): Promise<AppLoadContext> {
  const origin = originOf(request, env);
  const cookies = cookiesFor(origin, secret);
  const header = request.headers.get("Cookie");
  const connection = openConnection(env.DB, readPointOf(request, handle, await cookies.bookmark.parse(header)));
  return {
    db: connection.db,
    connection,
    now: new Date(),
    origin,
    timeZone: typeof request.cf?.timezone === "string" ? request.cf.timezone : "UTC",
    client: clientOf(request, env),
    isApi,
    kind,
    cookies,
    sessionToken: await cookies.session.parse(header),
    // Whatever nobody signed is no message.
    flash: (await cookies.flash.parse(header).catch(() => null)) || null,
    secret,
    post,
    viewerWasChecked: false,
    retryAfter: null,
    visit,
    afterwards: [],
  };
}
