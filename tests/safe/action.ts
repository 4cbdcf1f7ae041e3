import type { App } from "#tests/worker/app.ts";
import type { Answer, Client } from "#tests/worker/client.ts";
import type { World } from "#tests/worker/world.ts";

/** An action that a user takes with one request: a page's form, or an API call. */
export interface Action {
  name: string;
  method: string;
  path: (world: World) => string;
  isApi: boolean;
  /** The valid input: a form's fields, or JSON; undefined if there is no body. */
  body: (world: World) => unknown;
  /** The client that takes the action, with its cookies. */
  client: (app: App, world: World) => Client;
  /** Sends the request with a fixed key (a form key or an Idempotency-Key), so that sending it again repeats it. */
  send(app: App, world: World, headers?: Record<string, string>): Promise<{ answer: Answer; client: Client }>;
  /**
   * For a form: the messages of spec section 8 of which one appears on failure, and the typed values that must be kept.
   */
  says?: string[];
  keeps?: Record<string, string>;
  /** The browser may cache the page, so Back keeps the typed values. */
  backKeeps?: boolean;
  /**
   * The effect of a second request after the first one's response was lost: none, with the same answer; or an error
   * that says it is already done; or the action is repeated, which does no harm, with the reason.
   */
  again?: "refused" | { more: string };
}

type Sender = keyof Pick<World, "owner" | "admin"> | "nobody";

export const KEY = "the-same-key";

interface FormFacts extends Pick<Action, "says" | "keeps" | "again"> {
  who: Sender;
  path: (world: World) => string;
  fields: (world: World) => Record<string, string>;
}

export function form(route: string, what: string, { who, path, fields, ...facts }: FormFacts): Action {
  const clientFor = (app: App, world: World) =>
    who === "nobody" ? anonymousClient(app) : world[who].as(world[who].cookies);
  return {
    ...facts,
    backKeeps: !route.includes(":token"),
    name: `the form of /${route}${what && `: ${what}`}`,
    method: "POST",
    path,
    isApi: false,
    body: fields,
    client: clientFor,
    async send(app, world, headers) {
      const client = clientFor(app, world);
      return { answer: await client.post(path(world), fields(world), headers), client };
    },
  };
}

/** A signed-out client with a fixed address: a session stores the address that created it. */
export function anonymousClient(app: App): Client {
  const client = app.as(new Map());
  client.address = "203.0.113.7";
  return client;
}

export const NEW_SESSION = { more: "a session whose token no client has" };
export const NEW_LINK = { more: "a newer link, which ends the older one, as asking twice does" };
