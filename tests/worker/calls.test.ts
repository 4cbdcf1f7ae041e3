import { expect, test } from "vitest";
import { ERROR_CODES, type Refusal } from "#app/errors.ts";
import { startApp } from "./app.ts";
import { FAULTS, type Fault } from "./calls/call.ts";
import { CALLS } from "./calls.ts";
import { callerOf, make, messageIn, nameOf, stored } from "./make-call.ts";
import { shapeOf } from "./shape.ts";
import { sameWorldFor } from "./world.ts";

/*
 * Checks every API call of product.md against one table (calls.ts). Each rule was seen to fail once: the order of
 * refusals with the session checked before the content type; the methods with GET allowed on a POST-only call; the
 * round trips with the session read in a batch of its own; the shapes with the password's hash among the columns of a
 * user.
 *
 * In the executable it is the same Worker over another database, so there `npm test` makes each call once (MAIN_JOB);
 * `npm run safe` checks everything there too.
 */

const app = await startApp({ cheapHashes: true });
const worldAgain = await sameWorldFor(app);

for (const call of CALLS) {
  const name = nameOf(call);

  test(`${name} answers ${call.status} with exactly its fields`, async () => {
    const answer = await make(app, call, await worldAgain());
    expect(answer.status).toBe(call.status);
    expect(call.isFile ? answer.text : shapeOf(answer.json())).toEqual(call.shape);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });
  if (process.env.MAIN_JOB) continue;

  test(`${name} refuses in the order of product.md, and stores nothing when it does`, async () => {
    const world = await worldAgain();
    const before = await stored(app);
    // With all faults at once the answer is that of the first; without that one, of the next.
    for (let faults = call.faults; faults.length > 0; faults = faults.slice(1)) {
      const answer = await make(app, call, world, faults);
      const fault = faults[0] as Fault;
      const code = call.codes?.[fault] ?? FAULTS[fault];
      expect([fault, answer.status, answer.json<Refusal>().code]).toEqual([fault, ERROR_CODES[code].status, code]);
      messageIn(answer);
    }
    expect(await stored(app)).toEqual(before);
    expect((await make(app, call, world)).status).toBe(call.status);
  });

  if (call.access !== "public") {
    test(`${name} requires a session: without one, or with an ended, made-up or deleted account's session it answers 401`, async () => {
      const world = await worldAgain();
      const caller = callerOf(call, world);
      const sessions = "UPDATE sessions SET expires_at = ? WHERE user_id = ?";
      const unauthorized = async () => {
        const answer = await make(app, call, world);
        expect([answer.status, answer.json()]).toEqual([401, { code: "unauthorized", message: "Unauthorized" }]);
      };
      expect((await make(app, call, world, ["session"])).json()).toEqual({
        code: "unauthorized",
        message: "Unauthorized",
      });
      await app.db.prepare(sessions).bind(Date.now(), caller.user.id).run();
      await unauthorized();
      await app.db
        .prepare(sessions)
        .bind(Date.now() + 60_000, caller.user.id)
        .run();
      expect((await make(app, call, world)).status).toBe(call.status);
      await app.db.prepare("DELETE FROM users WHERE id = ?").bind(caller.user.id).run();
      await unauthorized();
      caller.cookies.set("session", "bWFkZSB1cA%3D%3D");
      await unauthorized();
    });
  }

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
