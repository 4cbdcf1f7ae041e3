import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { countFitting } from "#app/db/parts.server.ts";
import { AppError, type ErrorCode } from "#app/errors.ts";
import { errorJson, idempotencyKey, parse, readJson } from "#app/server/api.server.ts";
import { parseId, queryOf, querySchema } from "#app/server/query.ts";
import { isSafe } from "#app/server/request-line.ts";
import type { RouteHandle } from "#app/server/route.ts";
import type { XLSX_TYPE } from "#app/server/stream.server.ts";

/*
 * An endpoint is described where it is: `api()` takes the address, who may call it and, for each method, what it takes, what it
 * answers and the function that does it. The OpenAPI document, the list of calls in the documents and the tests of who may do
 * what read the same description.
 */

export const HTTP_METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** A call as its function gets it: what was sent is parsed. */
export interface Call<Query = unknown, Body = unknown> extends LoaderFunctionArgs {
  /** The `{id}` of the address; 0, which no row has, for one that is no positive integer. */
  id: number;
  /** The other parameter of the address: the token of a link, a code, or the reference of a session. */
  token: string;
  query: Query;
  body: Body;
  /** The Idempotency-Key, or null. */
  key: string | null;
}

/** What is described of a method of an endpoint. */
export interface Operation<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  /** What it does, in a few words. */
  summary: string;
  /** What else a caller should know, if anything. */
  description?: string;
  /** None without it: an unknown parameter is 400, and so is one that comes twice. */
  query?: Query;
  body?: Body;
  /** What the body is described as, where `body` leaves the parsing to the function, as for a partial update. */
  sent?: z.ZodType;
  /** Reads a body of one of the endpoint's other content types (`accepts`), to be parsed by `body`. */
  readOther?: (bytes: Uint8Array) => unknown;
  /** Whether an Idempotency-Key is accepted. */
  hasKey?: true;
  /** Whether `If-Match` is obeyed: the function compares the ETag of what it changes (`requireVersion`). */
  obeysIfMatch?: true;
  /** 200 by default. */
  status?: 201 | 202;
  answer: z.ZodType;
  /** The content type of an answer that is a file. */
  file?: "text/csv" | "application/json" | typeof XLSX_TYPE;
  /** Whether a GET answers no ETag: what is after a cursor is new or nothing. */
  isFeed?: true;
  /** The refusals besides those that follow from the description (`codesOf` in document.server.ts). */
  errors?: readonly ErrorCode[];
  /**
   * Throws what comes before a 400, by the order of docs/api.md: a 404, or a 403 of its own. That somebody is signed in, or an
   * admin, is asked in any case.
   */
  before?: (call: Omit<Call, "query" | "body" | "key">) => Promise<unknown>;
  /** Returns what is answered as JSON, or a response. */
  run(call: Call<z.output<Query>, z.output<Body>>): Promise<unknown>;
}

/** The callers of an endpoint: everyone; every signed-in user; or admins, which the look-up of the viewer requires (`requireUser`). */
export type Access = "public" | "user" | "admin";

/** What holds for all methods of an endpoint. The rest is as for any route (app/server/route.ts). */
interface Common extends Pick<RouteHandle, "token" | "service" | "secret" | "fresh" | "heavy" | "accepts"> {
  access: Access;
}

export interface Endpoint extends Common {
  path: `/${string}`;
  operations: { [Name in HttpMethod]?: Operation };
}

type None = ReturnType<typeof noQuery>;
const noQuery = () => querySchema({});
const NO_QUERY = noQuery();

/** Describes the endpoint at an address. Parameters are in the path: `{id}`, or one of another name, which is a token. */
export function api<
  GetQuery extends z.ZodType = None,
  PostQuery extends z.ZodType = None,
  PostBody extends z.ZodType = z.ZodUndefined,
  PatchBody extends z.ZodType = z.ZodUndefined,
  DeleteBody extends z.ZodType = z.ZodUndefined,
>(
  path: Endpoint["path"],
  {
    GET,
    POST,
    PATCH,
    DELETE,
    ...common
  }: Common & {
    GET?: Operation<GetQuery, z.ZodUndefined>;
    POST?: Operation<PostQuery, PostBody>;
    PATCH?: Operation<None, PatchBody>;
    DELETE?: Operation<None, DeleteBody>;
  },
): Endpoint {
  const operations = { ...(GET && { GET }), ...(POST && { POST }), ...(PATCH && { PATCH }), ...(DELETE && { DELETE }) };
  // Each is called with what its own schemas have parsed (`answer`).
  return { path, ...common, operations: operations as Endpoint["operations"] };
}

/** What endpoints have in common, as the OpenAPI document groups the calls. */
export interface Subject {
  name: string;
  description: string;
}

/** The loader and the action of a route module, with the endpoints that it serves. */
export interface Endpoints {
  (args: LoaderFunctionArgs): Promise<Response>;
  subject: Subject;
  list: readonly Endpoint[];
  /** By the id of the route: what the request checks ask. */
  routes: ReadonlyMap<string, { handle: RouteHandle; methods: string[] }>;
}

/** The id of the route of an endpoint, which is its path as app/routes.ts writes it. */
export function routeIdOf({ path }: Pick<Endpoint, "path">): string {
  return path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Serves endpoints of one subject as the loader and action of a route module. Errors are answered as JSON. */
export function endpoints(subject: Subject, ...list: Endpoint[]): Endpoints {
  const byRoute = new Map(list.map((endpoint) => [routeIdOf(endpoint), endpoint]));
  const serve = async (args: LoaderFunctionArgs): Promise<Response> => {
    const method = (args.request.method === "HEAD" ? "GET" : args.request.method) as HttpMethod;
    const endpoint = byRoute.get(args.context.routeId ?? "");
    const operation = endpoint?.operations[method];
    // The request checks have answered any other method with 405.
    if (!endpoint || !operation) throw new Error(`no endpoint for ${method} of ${args.context.routeId}`);
    try {
      return await answer(endpoint, operation, args);
    } catch (error) {
      return errorJson(error, args.request);
    }
  };
  const routes = list.map((endpoint): [string, { handle: RouteHandle; methods: string[] }] => {
    const { path: _path, operations, access, ...handle } = endpoint;
    const methods = HTTP_METHODS.filter((method) => operations[method]);
    return [
      routeIdOf(endpoint),
      {
        handle: { ...handle, ...(access !== "user" && { access }) },
        methods: methods.flatMap((name) => (name === "GET" ? [name, "HEAD"] : [name])),
      },
    ];
  });
  return Object.assign(serve, { subject, list, routes: new Map(routes) });
}

async function answer(endpoint: Endpoint, operation: Operation, args: LoaderFunctionArgs): Promise<Response> {
  const { id: idText, ...others } = args.params;
  const named = { ...args, id: parseId(idText), token: Object.values(others)[0] ?? "" };
  const sent = await read(operation, args).catch(async (error) => {
    await requireAccess(endpoint, args);
    await operation.before?.(named);
    throw error;
  });
  const said = await operation.run({ ...named, ...sent });
  const response = said instanceof Response ? said : Response.json(said, { status: operation.status ?? 200 });
  return isSafe(args.request) && !operation.file && !operation.isFeed ? withTag(response, args.request) : response;
}

/** The ETag of what a GET answers. */
function tagOf(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/**
 * Refuses a change of something of which the caller has read another version: `answer` is what its GET would answer now.
 * @throws {AppError} 412 if the request has `If-Match`, and no ETag in it is the present one
 */
export function requireVersion({ headers }: Request, answer: unknown): void {
  const known = headers.get("If-Match")?.split(",");
  // `*` is any version, and a weak tag is none (RFC 9110, 13.1.1).
  if (!known || known.some((one) => ["*", tagOf(JSON.stringify(answer))].includes(one.trim()))) return;
  throw new AppError(
    "stale",
    "This was changed since you read it. Nothing was saved. Read it again, then send your change.",
  );
}

async function requireAccess({ access }: Endpoint, { context }: LoaderFunctionArgs): Promise<void> {
  if (access !== "public") await requireUser(context);
}

/** @throws {AppError} 400 for a query, a body or a key that is invalid */
async function read(
  { query = NO_QUERY, body, readOther, hasKey }: Operation,
  { request }: LoaderFunctionArgs,
): Promise<Pick<Call, "query" | "body" | "key">> {
  const parsed = parse(query, queryOf(new URL(request.url).searchParams));
  return {
    query: parsed,
    body: await readBody(request, body, readOther),
    key: hasKey ? idempotencyKey(request) : null,
  };
}

async function readBody(request: Request, body: z.ZodType | undefined, readOther: Operation["readOther"]) {
  if (!body) return undefined;
  const isJson = request.headers.get("Content-Type")?.trim().toLowerCase().startsWith("application/json");
  if (readOther && !isJson) return parse(body, readOther(new Uint8Array(await request.arrayBuffer())));
  return readJson(request, body);
}

/** The answer to a GET with an ETag; 304 without a body if the client has it already. */
async function withTag(response: Response, request: Request): Promise<Response> {
  if (response.status !== 200) return response;
  const body = await response.text();
  const tag = response.headers.get("ETag") ?? tagOf(body);
  const headers = new Headers(response.headers);
  headers.set("ETag", tag);
  const known = request.headers.get("If-None-Match")?.split(",") ?? [];
  // `*` is any version (RFC 9110, 13.1.2).
  if (!known.some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")))) return new Response(body, { headers });
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}

/** A list of the API, a page an answer. */
interface List<Query extends z.ZodType<{ limit: number }>, Row> {
  summary: string;
  description?: string;
  query: Query;
  /** What one of the list is answered as. */
  item: z.ZodType;
  /** Reads at most `query.limit` rows, after a check of the access; fewer if they have more bytes than a list (`idsInPart`). */
  read(query: z.output<Query>, context: LoaderFunctionArgs["context"]): Promise<Row[]>;
  /** What `?before=` of the next page is, by the last row of a page. */
  cursorOf: (row: Row, query: z.output<Query>) => string | number;
  /** A row as JSON; without it as it is. */
  show?: (row: Row, context: LoaderFunctionArgs["context"]) => unknown;
}

/** The operation that answers a list: one page of at most 2 MB, with the address of the next page in `Link`. */
export function listOf<Query extends z.ZodType<{ limit: number }>, Row>({
  query,
  item,
  read,
  cursorOf,
  show = (row) => row,
  ...words
}: List<Query, Row>): Operation<Query, z.ZodUndefined> {
  return {
    ...words,
    query,
    answer: z.array(item),
    async run({ context, query: sent }) {
      const { limit } = sent;
      // One more than is returned, to find out whether there is a next page.
      const rows = await read({ ...sent, limit: limit + 1 }, context);
      const shown = rows.slice(0, limit).map((row) => show(row, context));
      const count = countFitting(shown);
      const last = rows[count - 1];
      const next = rows.length > count && last ? { limit, before: cursorOf(last, sent) } : null;
      return withNext(shown.slice(0, count), context, next);
    },
  };
}

/** A page of a list, with the address of the next page in `Link`: the same parameters with another cursor. */
export function withNext(
  list: unknown,
  { url, origin }: Pick<LoaderFunctionArgs["context"], "url" | "origin">,
  next: { limit: number; before: string | number } | null,
): Response {
  if (!next) return Response.json(list);
  const { limit: _limit, before: _before, ...others } = Object.fromEntries(url.searchParams);
  const address = new URL(url.pathname, origin);
  const { limit, before } = next;
  address.search = new URLSearchParams({ limit: String(limit), before: String(before), ...others }).toString();
  return Response.json(list, { headers: { Link: `<${address}>; rel="next"` } });
}
