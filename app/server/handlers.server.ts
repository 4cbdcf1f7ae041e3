import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/cloudflare";

/**
 * Returns Remix's handler of a route by its id, made on the first request for that route. It knows only the root and that
 * route: the request checks have matched the URL, and Remix would match it against all sixty routes, three times a request.
 */
export function handlersOf(build: ServerBuild, mode: string): (id: string) => RequestHandler {
  const nested = Object.values(build.routes).find((route) => route && ![undefined, "root"].includes(route.parentId));
  if (nested) throw new Error(`${nested.id} has a parent route, which its handler would not know`);
  const handlers = new Map<string, RequestHandler>();
  return (id) => {
    const handler = handlers.get(id) ?? createRequestHandler(buildWith(build, id), mode);
    handlers.set(id, handler);
    return handler;
  };
}

function buildWith(build: ServerBuild, id: string): ServerBuild {
  const only = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === id || name === "root"));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
