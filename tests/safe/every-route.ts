import { STATUSES } from "#app/db/enumerations.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { hasField, type Kind } from "#app/records/kind.ts";
import { SEARCH_MAX } from "#app/records/log-filter-form.tsx";
import type { App } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, anonymousClient } from "./action.ts";
import { ACTIONS } from "./actions.ts";
import { LETTERS } from "./largest-texts.ts";
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

/** The requests of a browser at the address of a form that has no page of its own. */
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

/**
 * Returns every filter of the log of a kind, alone and all at once. Two of the searches, which find nothing, are of the
 * letters of the largest texts: they differ from those in their last letter.
 */
function filtersOf(kind: Kind): string[] {
  const alike = Object.values(LETTERS).map((letter) => encodeURIComponent(`${letter.repeat(SEARCH_MAX - 1)}x`));
  const others = [
    "from=2000-01-01&to=2026-11-20",
    ...(hasField(kind, "method") ? ["method=UT_THK"] : []),
    ...(hasField(kind, "category") ? ["category=certificate"] : []),
  ];
  const searches = ["nowhere", ...alike].map((q) => `q=${q}`);
  return [
    ...STATUSES.map((status) => `status=${status}`),
    ...[...others, ...searches],
    ["status=verified", ...others, searches[1]].join("&"),
  ];
}

const filtered: Visit[] = KINDS.flatMap((kind) =>
  [kind.path, `/api/${kind.listName.replace("_", "-")}`].flatMap((list) =>
    filtersOf(kind).map(
      (filter): Visit => ({
        name: `GET, ${list}?${filter.length > 100 ? `${decodeURIComponent(filter).slice(0, 60)}…` : filter}`,
        method: "GET",
        path: () => `${list}?${filter}`,
        client: (_, { owner }) => owner.as(owner.cookies),
        isApi: list.startsWith("/api/"),
      }),
    ),
  ),
);

const seen = new Set(reads.map(({ name }) => name));

/** A request of every route and method, and some of several. */
export const VISITS: Visit[] = [
  ...reads,
  ...filtered,
  ...formAddresses.filter(({ name }) => !seen.has(name)),
  ...unread,
  ...writes,
];

/** `METHOD /path` of the routes that the visits match, as `app/routes.ts` writes the path. */
export async function visitedRoutes(): Promise<Set<string>> {
  const routes = await listRoutes();
  // Ids and tokens do not matter here.
  const anyWorld = new Proxy({} as World, { get: () => "1" });
  return new Set(VISITS.map(({ method, path }) => `${method} /${routeAt(routes, path(anyWorld))?.path ?? "*"}`));
}
