import { expect, test } from "vitest";
import { listRoutes } from "#tests/safe/routes.ts";
import type { Outcome } from "./access/cells.ts";
import { callOf, faultsOf, isSafe, Matrix, METHODS, type Method, ROWS } from "./access-matrix.ts";
import { startApp } from "./app.ts";

/*
 * The access matrix for API tokens: {read token, write token, ended token} × every /api route × every method. Each request
 * also has the cookies of another technician, which must be ignored. What is expected follows from the cells of the token's
 * owner and from the route's `token`.
 * Seen to fail, each with one line of the product changed: the session cookie read beside a token; the owner of a token
 * without the condition on its access; `token: "none"` left out of a route.
 */

const app = await startApp({ cheapHashes: true });
const matrix = new Matrix(app);
const VISITORS = ["read token", "write token", "ended token"] as const;

/** The public calls that look up who is asking: nobody verifies their own hours. All others ignore a token. */
const ASKS_WHO = ["api/verify/:token", "api/verify/:token/decline"];

const routes = new Map((await listRoutes()).map((route) => [route.path, route]));
const rows = ROWS.filter(({ name }) => name.startsWith("api/"));

function expectedOf({ name, row }: (typeof ROWS)[number], method: Method, visitor: (typeof VISITORS)[number]): Outcome {
  const cells = callOf(row, method)?.cells;
  if (!cells) return row.isUnknown ? 404 : 405;
  const path = name.replace(/ \(\d+\)$/, "");
  const { access, token: use } = routes.get(path)?.handle ?? {};
  if (access === "public" && !ASKS_WHO.includes(path)) return row.link ? cells["right token"] : cells.nobody;
  if (visitor === "ended token") return 401;
  const mayDo = isSafe(method) ? use !== "none" : use === undefined && visitor === "write token";
  return mayDo ? cells.owner : 403;
}

test.each(rows)("$name", async (of) => {
  const wrong: string[] = [];
  for (const method of METHODS) {
    if (!callOf(of.row, method) && of.allowed.includes(method)) continue; // another row of the same path has it
    for (const visitor of VISITORS) {
      const world = await matrix.world();
      const before = await matrix.stored();
      const token = { "read token": world.readToken, "write token": world.writeToken, "ended token": "ht_ended" }[
        visitor
      ];
      const expected = expectedOf(of, method, visitor);
      const visit = await matrix.request(of.row, method, "other", { Authorization: `Bearer ${token}` });
      const found = visit.answer.status === expected ? [] : [`answers ${visit.answer.status} and not ${expected}`];
      // What it may show is what the owner may see, and not the one whose cookies were sent.
      const isWho = visitor === "ended token" ? "nobody" : "owner";
      found.push(...faultsOf(visit, of.row, method, isWho, world, callOf(of.row, method)?.shows));
      const after = await matrix.stored();
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (id) => before.get(id) !== after.get(id),
      );
      const isRefused = typeof expected === "number" && expected >= 400;
      const people = [world.owner.user.id, ...(callOf(of.row, method)?.changes ?? []).map((who) => world[who].user.id)];
      const mayChange = isRefused || isSafe(method) ? [] : people;
      // A new user has registered.
      const isAllowed = (id: number) => mayChange.includes(id) || (mayChange.length > 0 && !before.has(id));
      found.push(...changed.filter((id) => !isAllowed(id)).map((id) => `changes the rows of user ${id}`));
      if (changed.length > 0) await matrix.renew();
      wrong.push(...found.map((what) => `${method} as ${visitor} ${what}`));
    }
  }
  expect(wrong).toEqual([]);
});
