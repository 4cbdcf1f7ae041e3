import { expect, test, vi } from "vitest";
import { targetPresetNamed } from "#app/certification/presets/presets.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { openApiDocument } from "./document.server.ts";

// Catches a document that is made, and kept, for each origin: without PUBLIC_ORIGIN a client chooses the port.
test("the calls are described once, whatever origin the document is asked for", async () => {
  vi.resetModules();
  const { openApiDocument: describe } = await import("./document.server.ts");
  const describedAt = (origin: string) => describe(ALL_ENDPOINTS, origin);
  const timeOf = (work: () => unknown) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const first = timeOf(() => describedAt("http://localhost:1"));
  const each = timeOf(() => {
    for (let port = 1_000; port < 1_050; port += 1) describedAt(`http://localhost:${port}`);
  });
  expect(each / 50).toBeLessThan(first / 5);
  const [one, other] = [describedAt("http://localhost:1"), describedAt("https://hours.example.com")];
  expect(JSON.parse(other)).toMatchObject({ servers: [{ url: "https://hours.example.com" }] });
  const alike = other.replace("__Host-session", "session").replace("https://hours.example.com", "http://localhost:1");
  expect(alike).toBe(one);
});

interface Node {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  $ref?: string;
}

/** The paths of the values in a schema of what is sent for which it names no length, range, format or choice. */
function unboundedIn(node: Node, path: string): string[] {
  // The password of the caller is any text: its length is checked when it is set.
  if (node.enum || "const" in node || node.minLength === 1) return [];
  const parts: [string, Node][] = [
    ...Object.entries(node.properties ?? {}).map(([name, part]): [string, Node] => [`${path}.${name}`, part]),
    ...(node.items ? [[`${path}[]`, node.items] as [string, Node]] : []),
    ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].map((part): [string, Node] => [path, part]),
  ];
  const types = [node.type ?? []].flat();
  const isNumber = types.includes("number") || types.includes("integer");
  const hasRange = (node.minimum ?? node.exclusiveMinimum) !== undefined && node.maximum !== undefined;
  const hasLength = node.maxLength !== undefined || node.pattern !== undefined || node.format === "date";
  const isUnbounded = isNumber ? !hasRange : types.includes("string") && !hasLength;
  return [...(isUnbounded ? [path] : []), ...parts.flatMap(([name, part]) => unboundedIn(part, name))];
}

// Catches names in the document that the call refuses, as those of presets for several methods were.
test("the document names the presets of targets that the call takes", () => {
  const { paths } = JSON.parse(openApiDocument(ALL_ENDPOINTS, "http://localhost"));
  const body = paths["/api/targets"].post.requestBody.content["application/json"];
  const [{ properties }] = body.schema.anyOf ?? body.schema.oneOf;
  expect(properties.preset.enum.filter((name: string) => !targetPresetNamed(name))).toEqual([]);
  expect(targetPresetNamed(body.example.preset)).toBeDefined();
});

test("what is sent has its lengths, ranges, formats and choices in the description, and each parameter an example", () => {
  const { paths } = JSON.parse(openApiDocument(ALL_ENDPOINTS, "http://localhost"));
  const wrong: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
    for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const body = requestBody?.content["application/json"]?.schema;
      if (body) wrong.push(...unboundedIn(body, name));
      for (const one of parameters) {
        if (one.example === undefined) wrong.push(`${name} ?${one.name} has no example`);
        if (one.in === "query") wrong.push(...unboundedIn(one.schema, `${name} ?${one.name}`));
      }
    }
  }
  expect(wrong).toEqual([]);
});

interface Described {
  parameters: { name: string; in: string; schema: Node; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Node }> };
}
