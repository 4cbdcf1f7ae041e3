import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { AppError, METHOD_NOT_ALLOWED } from "#app/errors.ts";
import { bodyTime, readBody } from "./body.server.ts";
import type { Env } from "./env.ts";
import { securityEvent, type Visit } from "./logger.server.ts";
import { isApiPath, isCrossSite, isHostAccepted, isSafe, SET_PUBLIC_ORIGIN } from "./request-line.ts";
import { type HandleExport, handleOf, type RouteHandle } from "./route.ts";

/** The route that a URL matches. */
export interface MatchedRoute {
  id: string;
  /** Its path as in app/routes.ts, such as `/profile/record/:id`; `/*` for every unknown path. */
  pattern: string;
  handle: RouteHandle;
  /** The decoded parts of the URL that its path names, such as `token`. */
  params: Readonly<Record<string, string | undefined>>;
  /** For the `Allow` header. */
  methods: string[];
  /** No route has this URL: the response is 404 for any method. */
  isUnknown: boolean;
  /** Whether answers are JSON, errors too: an endpoint, or an unknown address under /api. */
  isApi: boolean;
  /** The kind of record that the route is about, where one module serves all kinds (app/routes.ts). */
  kind: string | null;
}

/** The facts about its routes that a route module of the API gives, by the routes' ids (app/api/endpoint.server.ts). */
interface Endpoints {
  routes: ReadonlyMap<string, { handle: RouteHandle; methods: string[] }>;
}

/** The route for every URL without another. */
const NOT_FOUND = "routes/not-found";

/** Reads from Remix's build which route a URL matches. */
export function createRouteMatcher(build: ServerBuild): (url: URL) => MatchedRoute {
  const routes = Object.values(build.routes).flatMap((route) => (route && route.id !== "root" ? [route] : []));
  const matchedRoutes = new Map(
    routes.map(({ id, path, module, index }): [string, MatchedRoute] => {
      const endpoint = (module.loader as Partial<Endpoints> | undefined)?.routes?.get(id); // of a route module of the API
      const pageHandle = handleOf(module.handle as HandleExport | undefined, id); // each page declares it with `satisfies`
      const pageMethods = ["GET", "HEAD", ...(module.action && !index ? ["POST"] : [])];
      const { handle, methods } = endpoint ?? { handle: pageHandle, methods: pageMethods };
      const [, kind = null] = /^(?!routes\/|api\/)([^/]+)\//.exec(id) ?? [];
      const isUnknown = id === NOT_FOUND;
      const route = { id, pattern: `/${path ?? ""}`, handle, params: {}, methods, isUnknown };
      return [id, { ...route, isApi: endpoint !== undefined, kind }];
    }),
  );
  const addresses = routes.map(({ id, path, index }) =>
    index ? { id, path, index: true as const } : { id, path, index: false as const },
  );
  // Most requests are for a path without parameters, and `matchRoutes` goes through all routes.
  const fixedPaths = new Map(
    addresses.flatMap(({ id, path }) => (path && !/[:*?]/.test(path) ? [[`/${path}`, id]] : [])),
  );
  return (url) => {
    const fixed = fixedPaths.get(url.pathname);
    const match = fixed || !isRoutable(url) ? undefined : matchRoutes(addresses, url.pathname)?.at(-1);
    const route = matchedRoutes.get((isRoutable(url) && (fixed ?? match?.route.id)) || NOT_FOUND);
    if (!route) throw new Error(`there is no route ${NOT_FOUND}`);
    return route.isUnknown ? { ...route, isApi: isApiPath(url.pathname) } : { ...route, params: match?.params ?? {} };
  };
}

/**
 * Whether Remix may handle a URL. Not the endpoints of its client router, which we do not use: they would be a second way
 * to every loader. And not a path with invalid percent encoding.
 */
function isRoutable({ pathname, searchParams }: URL): boolean {
  if (pathname.endsWith(".data") || pathname === "/__manifest" || searchParams.has("_data")) return false;
  try {
    decodeURI(pathname);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks a request before its route handles it, in this order: host (421), method (405), cross-site (403), size and time
 * (413, 408), content type (415), and under /api an unknown path (404). Returns the request for the route, with its body read.
 * @throws {AppError} for the first check that fails
 */
export async function checkRequest(request: Request, route: MatchedRoute, env: Env, visit: Visit): Promise<Request> {
  const { isApi } = route;
  if (!isHostAccepted(request, env.PUBLIC_ORIGIN)) throw new AppError("unknown_host", SET_PUBLIC_ORIGIN);
  if (!route.isUnknown && !route.methods.includes(request.method)) {
    throw new AppError("method_not_allowed", METHOD_NOT_ALLOWED);
  }
  if (isCrossSite(request, env.PUBLIC_ORIGIN)) {
    securityEvent({ visit }, "cross_site_refused");
    throw new AppError("cross_site", "This request came from another site.");
  }
  const body = isSafe(request) ? null : await readBody(request, bodyTime(env.BODY_IDLE_MS));
  if (body && body.byteLength > 0) requireType(request, route);
  if (route.isUnknown) {
    if (isApi) throw new AppError("unknown_call", "There is no such call.");
    return new Request(new URL("/404", request.url), { headers: request.headers });
  }
  if (isSafe(request)) return withoutBody(request);
  // Remix checks `Origin` again, against the Host and for documents only. Our check has decided already.
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  return new Request(request.url, { method: request.method, headers, body });
}

function requireType(request: Request, { isApi, handle }: MatchedRoute): void {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const forms = ["application/x-www-form-urlencoded", "multipart/form-data"];
  const types = isApi ? ["application/json", ...(handle.accepts ?? [])] : forms;
  if (!types.includes(type)) throw new AppError("unsupported_type", `Send ${types.join(" or ")}.`);
}

/** Removes the body of a GET or HEAD: it has no meaning (RFC 9110, 9.3.1), and Remix throws on it. */
function withoutBody(request: Request): Request {
  if (!request.body) return request;
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal });
}
