import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { CALLS } from "#tests/worker/calls.ts";
import { make, nameOf, stored } from "#tests/worker/make-call.ts";
import { worldOf } from "#tests/worker/world.ts";

/* What every endpoint has because it is described. Seen to fail: a query that is not strict; a tag of another answer. */

const app = await startApp();

test("a query parameter that a call does not have is refused and named, after who may ask, and nothing is stored", async () => {
  const world = await worldOf(app);
  const before = await stored(app);
  for (const call of CALLS) {
    const path = (more: string) => `${call.path(world)}${call.path(world).includes("?") ? "&" : "?"}${more}`;
    const answer = await make(app, { ...call, path: () => path("limt=10") }, world);
    expect([nameOf(call), answer.status, answer.json()]).toMatchObject([
      nameOf(call),
      400,
      { code: "invalid", message: 'There is no query parameter "limt" here.' },
    ]);
    if (call.access !== "public") {
      const stranger = await make(app, { ...call, path: () => path("limt=10") }, world, ["session"]);
      expect([nameOf(call), stranger.status]).toEqual([nameOf(call), 401]);
    }
  }
  expect(await stored(app)).toEqual(before);
});

// Seen: `?limit=1&limit=2` was answered, and one of the two ignored.
test("a query parameter that comes twice is refused and named, after who may ask, and nothing is stored", async () => {
  const world = await worldOf(app);
  const before = await stored(app);
  const names = new Set<string>();
  for (const call of CALLS) {
    for (const name of call.parameters) {
      names.add(name);
      const [path = ""] = call.path(world).split("?");
      const twice = { ...call, path: () => `${path}?${name}=1&${name}=1` };
      const answer = await make(app, twice, world);
      const message = `The query parameter "${name}" comes more than once. Send it once.`;
      expect([nameOf(call), answer.status, answer.json()]).toEqual([
        nameOf(call),
        400,
        { code: "invalid", message, errors: [{ path: name, message }] },
      ]);
      if (call.access !== "public") {
        const stranger = await make(app, twice, world, ["session"]);
        expect([nameOf(call), stranger.status]).toEqual([nameOf(call), 401]);
      }
    }
  }
  expect(names).toContain("from");
  expect(await stored(app)).toEqual(before);
});

test("every answer to a GET has a tag, with which the same answer is 304 without a body, and another one is sent", async () => {
  const world = await worldOf(app);
  for (const call of CALLS.filter(({ method, isFile }) => method === "GET" && !isFile)) {
    const path = call.path(world);
    if (path.endsWith("/export.json") || path.startsWith("/api/events")) continue; // streamed, and ever new
    const first = await make(app, call, world);
    const tag = first.headers.get("ETag") ?? "";
    expect([path, tag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)]);
    const ask = (known: string) => make(app, call, world, [], { headers: { "If-None-Match": known } });
    for (const known of [tag, `"other", W/${tag}`, "*"]) {
      const same = await ask(known);
      expect([path, same.status, same.text, same.headers.get("ETag")]).toEqual([path, 304, "", tag]);
    }
    const other = await ask('"other"');
    expect([path, other.status, other.text]).toEqual([path, 200, first.text]);
  }
});

test("a changed record has another tag", async () => {
  const world = await worldOf(app);
  const path = `/api/entries/${world.entryId}`;
  const tag = (await world.owner.get(path)).headers.get("ETag") ?? "";
  await world.owner.json("PATCH", path, { hours: 3 });
  const answer = await world.owner.get(path, { "If-None-Match": tag });
  expect([answer.status, answer.json()]).toMatchObject([200, { hours: 3 }]);
});

test("one record is read by its id until it is deleted", async () => {
  const world = await worldOf(app);
  const { owner, entryId, ropeId } = world;
  for (const path of [`/api/entries/${entryId}`, `/api/rope-hours/${ropeId}`]) {
    const [list] = path.match(/^.*(?=\/)/) ?? [];
    const one = await owner.get(path);
    const all = (await owner.get(list ?? "")).json<{ id: number }[]>();
    expect(all).toContainEqual(one.json());
    expect((await owner.json("DELETE", path)).status).toBe(200);
    expect((await owner.get(path)).status).toBe(404);
  }
});
