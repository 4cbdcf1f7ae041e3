import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/cloudflare";

/**
 * Remix's handler of each route, by the route's id, made when it is first asked for. It knows the root and that route
 * alone: the guard has found which it is, and Remix would try the addresses of all of them, three times a request.
 */
export function createHandlers(build: ServerBuild, mode: string): (id: string) => RequestHandler {
  const nested = Object.values(build.routes).find((route) => route && ![undefined, "root"].includes(route.parentId));
  if (nested) throw new Error(`${nested.id} is inside of another route, which its handler would not know`);
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
