import { expect, test } from "vitest";
import { ERROR_CODES, type Refusal } from "#app/errors.ts";
import { startApp } from "./app.ts";
import { FAULTS, type Fault } from "./calls/call.ts";
import { CALLS } from "./calls.ts";
import { undescribed, undescribedBody } from "./described.ts";
import { callerOf, make, messageIn, nameOf, stored } from "./make-call.ts";
import { shapeOf } from "./shape.ts";
import { sameWorldFor } from "./world.ts";

/*
 * Checks every API call against one table (calls.ts), and every answer against its description with ajv, whose
 * schemas allow no other fields. That each needs a session is a row of the access matrix. Each rule was seen to fail once: the order of
 * refusals with the session checked before the content type; the methods with GET allowed on a POST-only call; the
 * round trips with the session read in a batch of its own; the shapes with the password's hash among the columns of a
 * user; the descriptions without a field of an entry.
 * `npm run safe` also runs this file on the executable.
 */

const app = await startApp();
const worldAgain = await sameWorldFor(app);

for (const call of CALLS) {
  const name = nameOf(call);

  test(`${name} answers ${call.status} with exactly its fields, as described`, async () => {
    const world = await worldAgain();
    const { method, path } = call;
    const body = call.body?.(world);
    if (body !== undefined && Object.keys(body as object).length > 0) {
      expect(undescribedBody(method, path(world), body)).toEqual([]);
    }
    const answer = await make(app, call, world);
    expect(answer.status).toBe(call.status);
    const said = call.isFile ? answer.text : answer.json();
    expect(call.isFile ? said : shapeOf(said)).toEqual(call.shape);
    expect(undescribed(method, path(world), answer.status, said)).toEqual([]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test(`${name} refuses in the order of docs/api.md and as described, and stores nothing when it does`, async () => {
    const world = await worldAgain();
    const before = await stored(app);
    // With all faults at once the answer is that of the first; without that one, of the next.
    for (let faults = call.faults; faults.length > 0; faults = faults.slice(1)) {
      const answer = await make(app, call, world, faults);
      const fault = faults[0] as Fault;
      const code = call.codes?.[fault] ?? FAULTS[fault];
      expect([fault, answer.status, answer.json<Refusal>().code]).toEqual([fault, ERROR_CODES[code].status, code]);
      messageIn(answer);
      if (faults.includes("method")) continue; // another method's description
      expect(undescribed(call.method, call.path(world, faults), answer.status, answer.json())).toEqual([]);
    }
    expect(await stored(app)).toEqual(before);
    expect((await make(app, call, world)).status).toBe(call.status);
  });

  const { othersPath, oddPaths } = call;
  if (oddPaths) {
    test(`${name} gives the same answer for a missing id, another user's id and an invalid id`, async () => {
      const world = await worldAgain();
      const caller = callerOf(call, world);
      const before = await stored(app);
      const unknown = await make(app, call, world, ["missing"]);
      expect(unknown.status).toBe(404);
      for (const path of [...(othersPath ? [othersPath(world)] : []), ...oddPaths]) {
        const answer = await caller.json(call.method, path, call.body?.(world));
        expect([path, answer.status, answer.json()]).toEqual([path, 404, unknown.json()]);
      }
      expect(await stored(app)).toEqual(before);
    });
  }
}

test("an unknown address under /api is 404 in JSON, with any method", async () => {
  const { owner } = await worldAgain();
  for (const path of [
    "/api",
    "/api/",
    "/api/nothing",
    "/api/user/1",
    "/api/auth",
    "/api/entries/x/y",
    "/api/%E0%A4%A",
  ]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await owner.json(method, path, method === "POST" ? {} : undefined);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      messageIn(answer);
    }
  }
});

test("a call without a body needs no content type", async () => {
  const { owner } = await worldAgain();
  const answer = await owner.json("POST", "/api/auth/logout");
  expect([answer.status, answer.json()]).toEqual([200, { message: "Logged out successfully" }]);
});

test("an API call is recognised in any spelling of its address", async () => {
  const { owner } = await worldAgain();
  for (const path of ["/API/user", "/%61pi/user"]) {
    const answer = await app.get(path);
    // Either 404 or the call itself; never a page, and never stored by a cache.
    expect([path, answer.status === 404 || answer.status === 401]).toEqual([path, true]);
    const mine = await owner.get(path);
    if (mine.status === 200) expect([path, mine.headers.get("Cache-Control")]).toEqual([path, "no-store"]);
  }
});
