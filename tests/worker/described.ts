import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument } from "#app/api/document.server.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";

/** The document as a client gets it. */
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object }>; responses: Record<string, Described> };
}

interface Described {
  content?: Record<string, { schema: object; example?: unknown }>;
}

interface Operation {
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: { "application/json": { schema: object; example: unknown } } };
  operationId: string;
  tags: string[];
  description: string;
  responses: Record<string, Described & { $ref?: string }>;
}

const { paths, openapi, components }: OpenApi = JSON.parse(openApiDocument(ALL_ENDPOINTS, "http://localhost"));
export const VERSION = openapi;

// The tests look at a response where it is used.
for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
  for (const [status, { $ref }] of Object.entries(operation.responses)) {
    const shared = $ref && components.responses[$ref.replace("#/components/responses/", "")];
    if (shared) operation.responses[status] = shared;
  }
}

/** The described objects, by name. */
export const COMPONENTS = components.schemas;

// Formats are checked by the patterns beside them.
const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false, allowUnionTypes: true });

ajv.addVocabulary(["components"]);

/** The described calls: `GET /api/entries/{id}`, every parameter called `id`. */
export const DESCRIBED_NAMES = Object.entries(paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => nameOf(method, path)),
);

function nameOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{id}")}`;
}

/** Returns the described operation that an address belongs to. */
export function operationOf(method: string, address: string): Operation | undefined {
  const { pathname } = new URL(address, "http://localhost");
  const exact = paths[pathname] ?? Object.entries(paths).find(([path]) => matches(path, pathname))?.[1];
  return exact?.[method.toLowerCase()];
}

function matches(path: string, pathname: string): boolean {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname);
}

/** Returns what is wrong with a call's answer by its description; empty if nothing is. */
export function undescribed(method: string, address: string, status: number, answer: unknown): string[] {
  const operation = operationOf(method, address);
  if (!operation) return [`${method} ${address} is not described`];
  const response = operation.responses[String(status)] ?? (status >= 500 ? operation.responses["5XX"] : undefined);
  if (!response) return [`${method} ${address} is not described to answer ${status}`];
  const { schema = {} } = Object.values(response.content ?? {})[0] ?? {};
  return faultsBy(schema, answer).map((fault) => `${method} ${address}: ${fault}`);
}

/** Returns what is wrong with a valid body by the call's description. */
export function undescribedBody(method: string, address: string, body: unknown): string[] {
  const schema = operationOf(method, address)?.requestBody?.content["application/json"].schema;
  return schema ? faultsBy(schema, body) : [`${method} ${address} has no described body`];
}

/** The compiled schemas: most answers share the few of the refusals, and each takes some milliseconds. */
const compiled = new WeakMap<object, ValidateFunction>();

export function faultsBy(schema: object, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: { schemas: COMPONENTS } });
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}
