import { expect, test } from "vitest";
import { listRoutes } from "#tests/safe/routes.ts";
import { startApp } from "./app.ts";
import { DESCRIBED_NAMES, operationOf, VERSION } from "./described.ts";

/*
 * The description of the API against its routes; calls.test.ts compares every answer with it. Seen to fail: a call left out.
 */

const app = await startApp();

test("the document is public, OpenAPI 3.1 and cacheable", async () => {
  const answer = await app.get("/api/openapi.json");
  expect([answer.status, answer.trips, answer.headers.get("Cache-Control")]).toEqual([200, 0, "public, max-age=300"]);
  expect(answer.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://localhost" }] });
  expect(VERSION).toBe("3.1.0");
  expect(answer.text).not.toContain("#/$defs");
  // Spectral and generators of clients refuse a list whose items are not described. Seen with a tuple's `prefixItems`.
  const bare: unknown[] = [];
  JSON.parse(answer.text, (_key, value) => {
    if (value?.type === "array" && !value.items) bare.push(value);
    return value;
  });
  expect(bare).toEqual([]);
});

test("every route under /api is described with each of its methods, and nothing else", async () => {
  const routes = (await listRoutes()).filter(({ path }) => path.startsWith("api/"));
  const names = routes.flatMap(({ path, methods }) =>
    methods.map((method) => `${method} /${path.replace(/:\w+/g, "{id}")}`),
  );
  expect(DESCRIBED_NAMES.sort()).toEqual(names.sort());
});

test("each call says whether it needs a session or takes a token, as its route does", async () => {
  for (const { path, methods, handle } of (await listRoutes()).filter(({ path }) => path.startsWith("api/"))) {
    for (const method of methods) {
      const taken = operationOf(method, `/${path.replace(/:\w+/g, "1")}`)?.security.map((one) => Object.keys(one)[0]);
      const isReadOnly = handle.token === "none" || (handle.token === "read" && method !== "GET");
      const expected = handle.access === "public" ? [] : isReadOnly ? ["session"] : ["session", "token"];
      expect([method, path, taken]).toEqual([method, path, expected]);
    }
  }
});
