import routes from "#app/routes.ts";

/** A route, with the methods that its module answers. */
export interface Route {
  /** As `app/routes.ts` writes it; `""` is the index. */
  path: string;
  methods: string[];
}

interface Module {
  loader?: unknown;
  action?: unknown;
}

/** What `api()` says of itself. */
interface Calls {
  methods?: string[];
}

/** Every route of the app with its methods, from the list and the modules themselves. */
export async function listRoutes(): Promise<Route[]> {
  return Promise.all(
    routes.map(async ({ path = "", file, index }) => {
      const module: Module = await import(/* @vite-ignore */ `../../app/${file}`);
      const calls = (module.loader ?? module.action) as Calls | undefined; // a page's are functions without more
      const methods = ["GET", ...(module.action && !index ? ["POST"] : [])];
      return { path, methods: calls?.methods?.filter((method) => method !== "HEAD") ?? methods };
    }),
  );
}

/** Which of the routes an address leads to, by its shape; the catch-all where no other has it. */
export function routeAt(list: Route[], address: string): Route | undefined {
  const { pathname } = new URL(address, "http://localhost");
  const shapeOf = ({ path }: Route) => `/${path}`.replaceAll(/\/:\w+\?/g, "(/[^/]+)?").replaceAll(/:\w+/g, "[^/]+");
  return list.find((route) => route.path !== "*" && new RegExp(`^${shapeOf(route)}$`).test(pathname));
}
