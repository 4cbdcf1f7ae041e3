import { z } from "zod";
import { ACCOUNT_CALLS } from "./account-calls.ts";
import { failure } from "./answers.ts";
import type { DescribedCall } from "./call.ts";
import { CERTIFICATION_CALLS } from "./certification-calls.ts";
import { PROOF_CALLS } from "./proof-calls.ts";
import { RECORD_CALLS } from "./record-calls.ts";
import { TRANSFER_CALLS } from "./transfer-calls.ts";
import { VERIFICATION_CALLS } from "./verification-calls.ts";

/** The description of every call, by method and path. */
export const DESCRIBED: Record<string, DescribedCall> = {
  ...ACCOUNT_CALLS,
  ...RECORD_CALLS,
  ...VERIFICATION_CALLS,
  ...CERTIFICATION_CALLS,
  ...PROOF_CALLS,
  ...TRANSFER_CALLS,
};

type Json = Record<string, unknown>;

/**
 * A schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. `input` is what may be sent, before it is transformed. Schemas
 * with an `id` go to `components`, and references lead there.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: "any" },
    override({ zodSchema, jsonSchema: made }) {
      const { def } = zodSchema._zod;
      delete made.id; // the name of a component
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
function withReferences(json: unknown): Json {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** The description of all calls, made once: it takes 20 ms, and nothing in it depends on the request. */
let calls: ReturnType<typeof describeCalls> | undefined;

/** The description of all calls as an OpenAPI 3.1 document, in JSON. */
export function openApiDocument(origin: string): string {
  calls ??= describeCalls();
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Hours Tracker", version: "1", description: "See docs/api.md for the rules of each call." },
    servers: [{ url: origin }],
    paths: calls.paths,
    components: {
      schemas: calls.schemas,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: origin.startsWith("https:") ? "__Host-session" : "session" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  });
}

function describeCalls(): { paths: Record<string, Json>; schemas: Json } {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const [name, call] of Object.entries(DESCRIBED)) {
    const [method = "", path = ""] = name.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(path, call, schemas) };
  }
  return { paths, schemas };
}

function operation(
  path: string,
  { summary, access, sessionOnly, body, query, hasKey, status = 200, answer, isCsv }: DescribedCall,
  schemas: Json,
): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: name === "id" ? "integer" : "string" } },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    ...{ name, in: "query", schema: jsonSchema(schema as z.ZodType, "input", schemas) },
  }));
  const key = hasKey ? [{ name: "Idempotency-Key", in: "header", schema: { type: "string", maxLength: 200 } }] : [];
  const security = access === "public" ? [] : [{ session: [] }, ...(sessionOnly ? [] : [{ token: [] }])];
  const content = (schema: z.ZodType, io: "input" | "output", type = "application/json") => ({
    [type]: { schema: jsonSchema(schema, io, schemas) },
  });
  return {
    summary: access === "admin" ? `${summary} (admins only)` : summary,
    security,
    parameters: [...inPath, ...inQuery, ...key],
    ...(body && { requestBody: { required: true, content: content(body, "input") } }),
    responses: {
      [status]: { description: "Success", content: content(answer, "output", isCsv ? "text/csv" : undefined) },
      default: { description: "Refused", content: content(failure, "output") },
    },
  };
}
