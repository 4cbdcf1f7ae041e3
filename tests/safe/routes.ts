import type { Endpoints } from "#app/api/endpoint.server.ts";
import routes from "#app/routes.ts";
import { type HandleExport, handleOf, type RouteHandle } from "#app/server/route.ts";

/** A route, with the methods that its module handles. */
export interface Route {
  /** As `app/routes.ts` writes it; `""` is the index. */
  path: string;
  methods: string[];
  handle: RouteHandle;
}

interface Module {
  handle?: HandleExport;
  loader?: unknown;
  action?: unknown;
}

/** Returns every route of the app with its methods, from the route table and the modules themselves. */
export async function listRoutes(): Promise<Route[]> {
  return Promise.all(
    routes.map(async ({ id = "", path = "", file, index }) => {
      const module: Module = await import(/* @vite-ignore */ `../../app/${file}`);
      const endpoint = (module.loader as Partial<Endpoints> | undefined)?.routes?.get(id); // a page's is a plain function
      const methods = endpoint?.methods ?? ["GET", ...(module.action && !index ? ["POST"] : [])];
      const handle = endpoint?.handle ?? handleOf(module.handle, id);
      return { path, handle, methods: methods.filter((method) => method !== "HEAD") };
    }),
  );
}

/** Returns the route that an address matches by its shape, or else the catch-all route. */
export function routeAt(list: Route[], address: string): Route | undefined {
  const { pathname } = new URL(address, "http://localhost");
  const shapeOf = ({ path }: Route) => `/${path}`.replaceAll(/\/:\w+\?/g, "(/[^/]+)?").replaceAll(/:\w+/g, "[^/]+");
  return list.find((route) => route.path !== "*" && new RegExp(`^${shapeOf(route)}$`).test(pathname));
}
