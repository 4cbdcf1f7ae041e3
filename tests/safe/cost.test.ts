import { expect, test } from "vitest";
import { COSTS } from "./costs.ts";
import { visitedRoutes } from "./every-route.ts";
import { listRoutes } from "./routes.ts";

/** Answered before the Worker's routes. */
const OUTSIDE = ["GET /healthz"];

// Seen to fail with a route that had no request, and with a row for a route that was gone.
test("the cost of every route and method is measured", async () => {
  const routes = await listRoutes();
  const calls = new Set(routes.flatMap(({ path, methods }) => methods.map((method) => `${method} /${path}`)));
  expect([...(await visitedRoutes())].sort()).toEqual([...calls].sort());
  const unknown = Object.keys(COSTS).filter((name) => !calls.has(name) && !OUTSIDE.includes(name));
  expect(unknown).toEqual([]);
});
