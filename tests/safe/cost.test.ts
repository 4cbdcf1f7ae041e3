import { expect, test } from "vitest";
import { COSTS } from "./costs.ts";
import { listRoutes } from "./routes.ts";

/** Answered before the Worker's routes. */
const OUTSIDE = ["GET /healthz"];

// Seen to fail with a route that had no row, and with a row for a route that was gone.
test("every route and method has a row of what it may cost", async () => {
  const routes = await listRoutes();
  const calls = routes.flatMap(({ path, methods }) => methods.map((method) => `${method} /${path}`));
  expect(Object.keys(COSTS).sort()).toEqual([...new Set([...calls, ...OUTSIDE])].sort());
});
