import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callsOf } from "#app/api/document.server.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/openapi.ts";
import { CALLS } from "#tests/worker/calls.ts";
import { COMPONENTS, operationOf } from "#tests/worker/described.ts";
import { nameOf } from "#tests/worker/make-call.ts";

// Catches a call that docs/api.md does not describe, and a description of a call that no longer exists.
test("docs/api.md describes the calls that are tested, and no others", () => {
  const described = [...readFileSync("docs/api.md", "utf8").matchAll(/^\| `([A-Z]+ \/api[^`]*)`/gm)];
  const names = described.map(([, call = ""]) => call.replace(/\{.*?\}/, "{id}"));
  expect(names.sort()).toEqual(CALLS.map(nameOf).sort());
});

// Catches a call that takes a key, and a document that does not say so, in both directions.
test("docs/api.md names the calls with an Idempotency-Key, as the OpenAPI document does", () => {
  const text = readFileSync("docs/api.md", "utf8");
  const [, list = ""] = /`POST (\/api\/entries`,[^.]*?) accept an `Idempotency-Key`/.exec(text) ?? [];
  const named = list.match(/\/api\/[\w/{}-]+/g) ?? [];
  const described = callsOf(ALL_ENDPOINTS)
    .filter(({ operation }) => operation.hasKey)
    .map(({ name }) => name);
  expect(named.map((path) => `POST ${path}`).sort()).toEqual(described.sort());
});

test("docs/api.md lists the fields of a record as it is answered", () => {
  const text = readFileSync("docs/api.md", "utf8");
  for (const [name, path] of [
    ["entry", "/api/entries"],
    ["rope hours", "/api/rope-hours"],
  ] as const) {
    const [, fields = ""] = new RegExp(`^\\| ${name} +\\| \`([^\`]*)\``, "m").exec(text) ?? [];
    const schema = operationOf("GET", path)?.responses["200"]?.content?.["application/json"]?.schema;
    expect([name, fields.split(", ").sort()]).toEqual([name, fieldsOf(schema).sort()]);
  }
});

/** The fields of the objects in a described list. */
function fieldsOf(list: object = {}): string[] {
  const [, component = ""] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(list)) ?? [];
  return Object.keys(COMPONENTS[component]?.properties ?? {});
}
