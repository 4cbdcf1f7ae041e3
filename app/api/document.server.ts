import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "#app/errors.ts";
import { failureOf } from "./answers.ts";
import {
  type Endpoint,
  type Endpoints,
  HTTP_METHODS,
  type HttpMethod,
  type Operation,
  type Subject,
} from "./endpoint.server.ts";
import { exampleOf, type JsonSchema } from "./example.ts";

/** A method of an endpoint, as the document and the tests look at it. */
export interface DescribedCall {
  /** `GET /api/entries/{id}` */
  name: string;
  subject: Subject;
  method: HttpMethod;
  endpoint: Endpoint;
  operation: Operation;
}

/** Every call, in the order of the endpoints. */
export function callsOf(subjects: readonly Endpoints[]): DescribedCall[] {
  return subjects.flatMap(({ subject, list }) =>
    list.flatMap((endpoint) =>
      HTTP_METHODS.flatMap((method) => {
        const operation = endpoint.operations[method];
        return operation ? [{ name: `${method} ${endpoint.path}`, subject, method, endpoint, operation }] : [];
      }),
    ),
  );
}

/** Whether a call takes an API token: any, or none. */
export function takesToken({ method, endpoint: { access, token } }: DescribedCall): boolean {
  return access !== "public" && token !== "none" && (token !== "read" || method === "GET");
}

/** Whether a call takes a service token. */
export function takesServiceToken({ method, endpoint: { service } }: DescribedCall): boolean {
  return service === true && method === "GET";
}

/** The parameters of a call's query, by name. */
export function shapeOf({ query }: Operation): z.ZodRawShape {
  return (query as z.ZodObject | undefined)?.shape ?? {}; // made by `querySchema`
}

/** The codes of the refusals that a call can answer: those that follow from its description, and its own. */
export function codesOf(call: DescribedCall): ErrorCode[] {
  const { method, endpoint, operation } = call;
  const { access, heavy, path } = endpoint;
  const own = operation.errors ?? [];
  const isLookedUp = path.includes("{") && !own.includes("link_ended");
  // It may wait for a turn (`takeTurn`), with a body if that is large.
  const isSearch = access !== "public" && "q" in shapeOf(operation);
  const codes: (ErrorCode | false | undefined)[] = [
    "unknown_host",
    "rate_limited",
    "invalid",
    method !== "GET" && "cross_site",
    method !== "GET" && "incomplete",
    method !== "GET" && "too_large",
    method !== "GET" && "too_slow",
    method !== "GET" && "unsupported_type",
    operation.body && "invalid_json",
    access !== "public" && "unauthorized",
    access !== "public" && "token_ended",
    access === "admin" && "admin_only",
    access !== "public" && (takesToken(call) ? method !== "GET" && "read_only_token" : "session_only"),
    access !== "public" && !takesServiceToken(call) && "service_token",
    isLookedUp && "not_found",
    ((heavy === "reads" ? method === "GET" : heavy) || isSearch || operation.body) && "busy",
    operation.hasKey && "key_reused",
    operation.obeysIfMatch && "stale",
    ...own,
  ];
  return [...new Set(codes.filter((code): code is ErrorCode => Boolean(code)))];
}

/** A name of a call for programs: `postEntriesIdRestore`. */
function operationId({ method, endpoint }: DescribedCall): string {
  const words = endpoint.path.replace("/api/", "").split(/[^A-Za-z]+/);
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

const WHO = { public: "For everyone.", user: "For the signed-in user.", admin: "For admins." } as const;

function descriptionOf(call: DescribedCall): string {
  const { endpoint, operation } = call;
  const tokens = takesServiceToken(call) ? "By session, API token or service token." : "By session or API token.";
  const token = takesToken(call) ? tokens : "By session only.";
  return [operation.description, WHO[endpoint.access], endpoint.access !== "public" && token].filter(Boolean).join(" ");
}

/**
 * A schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. `input` is what may be sent, before it is transformed. Schemas
 * with an `id` go to `components`, and references lead there.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", components: JsonSchema): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: made }) {
      const { def } = zodSchema._zod;
      delete made.id; // the name of a component
      if (made.type === "integer") delete made.pattern; // of the text that a query is
      // Many generators of clients and Spectral ask for `items`. All our tuples are of one kind.
      if (def.type === "tuple" && made.prefixItems) {
        const { length, 0: items = {} } = made.prefixItems;
        Object.assign(made, { items, minItems: length, maxItems: length });
        delete made.prefixItems;
      }
      if (io !== "input" || def.type !== "pipe") return;
      const { out } = def as unknown as { out: z.ZodType }; // of a pipe
      // Steps after a transformation say more: a list whose length is checked before its items, a choice after trimming.
      if (out instanceof z.ZodArray && made.type === "array") {
        made.items = jsonSchema(out.element as z.ZodType, io, components);
      }
      if (out instanceof z.ZodEnum) made.enum = out.options;
    },
  });
  for (const [name, part] of Object.entries($defs ?? {})) components[name] = withReferences(part);
  return withReferences(json);
}

/** With references into the document instead of into the schema. */
function withReferences(json: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** The description of all calls, made once: it takes 50 ms, and nothing in it depends on the request. */
let described: ReturnType<typeof describe> | undefined;

/** The description of all calls as an OpenAPI 3.1 document, in JSON. */
export function openApiDocument(subjects: readonly Endpoints[], origin: string): string {
  described ??= describe(subjects);
  return JSON.stringify({
    openapi: "3.1.0",
    info: {
      title: "Hours Tracker",
      version: "1",
      description: "See docs/api.md for the rules of each call.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    tags: described.tags,
    paths: described.paths,
    components: {
      schemas: described.components.schemas,
      responses: described.components.responses,
      headers: HEADERS,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: origin.startsWith("https:") ? "__Host-session" : "session" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  });
}

const HEADERS = {
  RequestId: {
    description: "The name of the request in the log of the operator",
    schema: { type: "string" },
    example: "5f0c1a7be2d94a63",
  },
  RetryAfter: {
    description: "After how many seconds the call is accepted again",
    schema: { type: "integer" },
    example: 60,
  },
  Next: {
    description: 'The address of the next page, with rel="next"; missing on the last page',
    schema: { type: "string" },
    example: '<https://hours.example.com/api/entries?limit=100&before=41>; rel="next"',
  },
  Tag: {
    description: "Sent back as If-None-Match, an unchanged answer is 304 without a body",
    schema: { type: "string" },
    example: '"m2VdX8kqTn1hYb0c9Rz5Wg"',
  },
};

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** What several calls share. */
interface Components {
  schemas: JsonSchema;
  responses: JsonSchema;
}

function describe(subjects: readonly Endpoints[]) {
  const paths: Record<string, JsonSchema> = {};
  const components: Components = { schemas: {}, responses: {} };
  const calls = callsOf(subjects);
  // First all schemas, so that an example finds every component.
  const operations = calls.map((call) => operationOf(call, components));
  for (const [index, { endpoint, method }] of calls.entries()) {
    paths[endpoint.path] = { ...paths[endpoint.path], [method.toLowerCase()]: operations[index]?.() };
  }
  return { paths, components, tags: subjects.map(({ subject }) => subject) };
}

/** A reference to the response with one of these codes, which is described once: many calls refuse for the same reasons. */
function refusal(status: string, codes: readonly ErrorCode[], { schemas, responses }: Components): JsonSchema {
  const name = `Refused${status}${codes.map((code) => `_${code}`).join("")}`;
  responses[name] ??= {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join("\n\n"),
    headers: { "X-Request-Id": header("RequestId"), ...(status === "429" && { "Retry-After": header("RetryAfter") }) },
    content: {
      "application/json": { schema: jsonSchema(failureOf(codes), "output", schemas), example: exampleOfRefusal(codes) },
    },
  };
  return { $ref: `#/components/responses/${name}` };
}

function exampleOfRefusal([code]: readonly ErrorCode[]): unknown {
  return code && { message: ERROR_CODES[code].meaning, code };
}

/** Describes a call. What is returned adds the examples, once all components are known. */
function operationOf(call: DescribedCall, components: Components): () => JsonSchema {
  const { method, subject, endpoint, operation } = call;
  const { schemas } = components;
  const { body, sent = body, hasKey, obeysIfMatch, status = 200, answer, file, readOther } = operation;
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: name === "id" ? { type: "integer", minimum: 1 } : { type: "string", minLength: 1 },
    example: name === "id" ? 41 : "0b7c9d52-6f0e-4c1a-9a53-2f9d4e1c8b6d",
  }));
  const inQuery = Object.entries(shapeOf(operation)).map(([name, schema]) => {
    const described = jsonSchema(schema as z.ZodType, "input", schemas);
    return { name, in: "query", schema: described, example: exampleOf(described, schemas, name) };
  });
  const key = {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Names one sending of this body: sent again with it, nothing is saved twice. With another body it is 409",
    schema: { type: "string", maxLength: 200 },
    example: "5f0c1a7b-e2d9-4a63-9c1d-0b7c9d526f0e",
  };
  const forUser = {
    name: "For-User",
    in: "header",
    description:
      "The id of the user who typed this, where it is sent later from a device that several people use; 403 if another one is signed in",
    schema: { type: "integer", minimum: 1 },
    example: 7,
  };
  const version = {
    name: "If-Match",
    in: "header",
    description: "The ETag that the GET of the same address answered; 412 if it is another one now",
    schema: { type: "string" },
    example: '"m2VdX8kqTn1hYb0c9Rz5Wg"',
  };
  const taken = sent && jsonSchema(sent, "input", schemas);
  const given = jsonSchema(answer, "output", schemas);
  const isTagged = method === "GET" && !file && !operation.isFeed;
  const isList = !operation.isFeed && "limit" in shapeOf(operation);
  const codes = codesOf(call);
  const refusals = [...new Set(codes.map((code) => String(ERROR_CODES[code].status)))].map((status) => [
    status,
    refusal(
      status,
      codes.filter((code) => String(ERROR_CODES[code].status) === status),
      components,
    ),
  ]);
  const failed = refusal("5XX", ["server_error", "unavailable"], components);
  return () => ({
    operationId: operationId(call),
    tags: [subject.name],
    summary: operation.summary,
    description: descriptionOf(call),
    security: endpoint.access === "public" ? [] : [{ session: [] }, ...(takesToken(call) ? [{ token: [] }] : [])],
    parameters: [
      ...inPath,
      ...inQuery,
      ...(hasKey ? [key] : []),
      ...(operation.errors?.includes("other_user") ? [forUser] : []),
      ...(obeysIfMatch ? [version] : []),
    ],
    ...(taken && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: taken, example: exampleOf(taken, schemas) },
          ...(readOther &&
            Object.fromEntries((endpoint.accepts ?? []).map((type) => [type, { schema: { type: "string" } }]))),
        },
      },
    }),
    responses: {
      [status]: {
        description: "Success",
        headers: {
          "X-Request-Id": header("RequestId"),
          ...(isTagged && { ETag: header("Tag") }),
          ...(isList && { Link: header("Next") }),
        },
        content: { [file ?? "application/json"]: { schema: given, example: exampleOf(given, schemas) } },
      },
      ...(isTagged && { 304: { description: "Not modified: the answer is the one with the ETag that was sent" } }),
      ...Object.fromEntries(refusals),
      "5XX": failed,
    },
  });
}
