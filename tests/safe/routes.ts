import routes from "#app/routes.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** A route, with the methods that its module handles. */
export interface Route {
  /** As `app/routes.ts` writes it; `""` is the index. */
  path: string;
  methods: string[];
  handle: RouteHandle;
}

interface Module {
  handle?: RouteHandle;
  loader?: unknown;
  action?: unknown;
}

/** The methods that `api()` exports. */
interface Calls {
  methods?: string[];
}

/** Returns every route of the app with its methods, from the route table and the modules themselves. */
export async function listRoutes(): Promise<Route[]> {
  return Promise.all(
    routes.map(async ({ path = "", file, index }) => {
      const module: Module = await import(/* @vite-ignore */ `../../app/${file}`);
      const calls = (module.loader ?? module.action) as Calls | undefined; // a page's are plain functions
      const methods = ["GET", ...(module.action && !index ? ["POST"] : [])];
      const { handle = {} } = module;
      return { path, handle, methods: calls?.methods?.filter((method) => method !== "HEAD") ?? methods };
    }),
  );
}

/** Returns the route that an address matches by its shape, or else the catch-all route. */
export function routeAt(list: Route[], address: string): Route | undefined {
  const { pathname } = new URL(address, "http://localhost");
  const shapeOf = ({ path }: Route) => `/${path}`.replaceAll(/\/:\w+\?/g, "(/[^/]+)?").replaceAll(/:\w+/g, "[^/]+");
  return list.find((route) => route.path !== "*" && new RegExp(`^${shapeOf(route)}$`).test(pathname));
}
