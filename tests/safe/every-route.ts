import type { App } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, anonymousClient } from "./action.ts";
import { ACTIONS } from "./actions.ts";
import { READS } from "./reads.ts";
import { listRoutes, routeAt } from "./routes.ts";

/** A request to measure, of a route that `COSTS` need not name: a valid one of an account. */
export interface Visit {
  name: string;
  method: string;
  path: (world: World) => string;
  client: (app: App, world: World) => Client;
  /** The valid body of a write, and whether it is JSON. */
  body?: Action["body"];
  isApi: boolean;
}

const reads: Visit[] = READS.map(({ name, isApi, path, who }) => ({
  name: `GET, ${name}`,
  method: "GET",
  path,
  isApi,
  client: (app, world) => (who === "nobody" ? anonymousClient(app) : world[who].as(world[who].cookies)),
}));

const writes: Visit[] = ACTIONS.map(({ name, method, path, body, client, isApi }) => ({
  name: isApi ? name : `POST, ${name}`,
  method,
  path,
  body,
  client,
  isApi,
}));

/** What a browser gets at the address of a form that has no page of its own. */
const formAddresses: Visit[] = ACTIONS.filter(({ isApi }) => !isApi).map(({ name, path, client }) => ({
  name: `GET, ${name}`,
  method: "GET",
  path,
  client,
  isApi: false,
}));

/** They ask the database nothing. */
const unread: Visit[] = ["/check", "/nothing", "/api/openapi.json"].map((path) => ({
  name: `GET, ${path}`,
  method: "GET",
  path: () => path,
  client: anonymousClient,
  isApi: false,
}));

const seen = new Set(reads.map(({ name }) => name));

/** A request of every route and method, and some of several. */
export const VISITS: Visit[] = [...reads, ...formAddresses.filter(({ name }) => !seen.has(name)), ...unread, ...writes];

/** `METHOD /path` of the routes that the visits match, as `app/routes.ts` writes the path. */
export async function visitedRoutes(): Promise<Set<string>> {
  const routes = await listRoutes();
  // Ids and tokens do not matter here.
  const anyWorld = new Proxy({} as World, { get: () => "1" });
  return new Set(VISITS.map(({ method, path }) => `${method} /${routeAt(routes, path(anyWorld))?.path ?? "*"}`));
}
