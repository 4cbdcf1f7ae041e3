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
    if (path.endsWith("/export.json") || path.includes("/events")) continue; // streamed, and ever new
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

test("a change under If-Match is made to the version that was read alone: another one is 412, and nothing changes", async () => {
  const world = await worldOf(app);
  const { owner, entryId, ropeId, verifiedId } = world;
  for (const path of [
    `/api/entries/${entryId}`,
    `/api/rope-hours/${ropeId}`,
    `/api/training/${world.training.id}`,
    `/api/certificates/${world.certificate.id}`,
  ]) {
    const read = async () => await owner.get(path);
    const change = path.includes("certificates") ? { title: "Another" } : { hours: 3 };
    const tag = (await read()).headers.get("ETag") ?? "";
    const before = (await read()).json();
    for (const other of ['"m2VdX8kqTn1hYb0c9Rz5Wg"', `W/${tag}`, tag.slice(1, -1)]) {
      for (const method of ["PATCH", "DELETE"] as const) {
        const refused = await owner.json(method, path, method === "PATCH" ? change : undefined, { "If-Match": other });
        expect([path, method, other, refused.status, refused.json().code]).toEqual([path, method, other, 412, "stale"]);
      }
    }
    expect((await read()).json()).toEqual(before);
    // A missing or invalid value is refused before, a state after.
    expect((await owner.json("PATCH", path, { hours: -1, title: "" }, { "If-Match": '"x"' })).status).toBe(400);
    const changed = await owner.json("PATCH", path, change, { "If-Match": `"other", ${tag}` });
    expect([path, changed.status, changed.json()]).toMatchObject([path, 200, change]);
    const late = await owner.json("PATCH", path, path.includes("certificates") ? { title: "Late" } : { hours: 4 }, {
      "If-Match": tag,
    });
    expect([path, late.status]).toEqual([path, 412]);
    const now = (await read()).headers.get("ETag") ?? "";
    expect((await owner.json("DELETE", path, undefined, { "If-Match": now })).status).toBe(200);
  }
  const verified = `/api/entries/${verifiedId}`;
  expect((await owner.json("PATCH", verified, { hours: 3 }, { "If-Match": '"x"' })).status).toBe(412);
  expect((await owner.json("PATCH", verified, { hours: 3 }, { "If-Match": "*" })).status).toBe(409);
});

test("of two changes under If-Match that are sent at once, to one version, one is made", async () => {
  const { owner, entryId } = await worldOf(app);
  const path = `/api/entries/${entryId}`;
  const tag = (await owner.get(path)).headers.get("ETag") ?? "";
  const answers = await Promise.all(
    [3, 4, 5].map((hours) => owner.json("PATCH", path, { hours }, { "If-Match": tag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
});

test("requests are listed by whether they are open, and supervisors by a text in name, address or company", async () => {
  const ada = await app.register();
  const add = (over: Record<string, unknown>) => ada.addSupervisor(over);
  const [ola, oystein] = [
    await add({ name: "Ola Hansen", email: "ola@example.org", company: "Northgate NDT" }),
    await add({ name: "Øystein Berg", email: "ob@example.net", company: "100% Inspection" }),
  ];
  const found = async (q: string) =>
    (await ada.get(`/api/supervisors?q=${encodeURIComponent(q)}`)).json<{ id: number }[]>().map(({ id }) => id);
  for (const [q, ids] of [
    ["hansen", [ola.id]],
    ["NORTHGATE", [ola.id]],
    ["øystein b", [oystein.id]],
    ["ØYSTEIN", [oystein.id]],
    ["example.", [oystein.id, ola.id]],
    ["100%", [oystein.id]],
    ["_", []],
    ["  ", [oystein.id, ola.id]],
  ] as const) {
    expect([q, await found(q)]).toEqual([q, ids]);
  }
  const ids: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    const { id } = await ada.addEntry();
    const records = [{ type: "entry", id }];
    ids.unshift(
      (await ada.json("POST", "/api/verification-requests", { supervisorId: ola.id, records })).json<{ id: number }>()
        .id,
    );
  }
  const [newest = 0, middle = 0, oldest = 0] = ids;
  await ada.json("DELETE", `/api/verification-requests/${middle}`);
  const listed = async (query: string) =>
    (await ada.get(`/api/verification-requests${query}`)).json<{ id: number }[]>().map(({ id }) => id);
  expect(await listed("?status=open")).toEqual([newest, oldest]);
  expect(await listed("?status=ended")).toEqual([middle]);
  expect(await listed("")).toEqual([newest, middle, oldest]);
  const page = await ada.get("/api/verification-requests?status=open&limit=1");
  expect(page.headers.get("Link")).toContain("status=open");
  expect(await listed(`?status=open&before=${newest}`)).toEqual([oldest]);
  // One that has expired has ended, also before the timer has noted it.
  await app.db
    .prepare("UPDATE verification_requests SET requested_at = 1, expires_at = 2 WHERE id = ?")
    .bind(oldest)
    .run();
  expect(await listed("?status=ended")).toEqual([middle, oldest]);
  expect((await ada.get("/api/verification-requests?status=closed")).json().message).toBe(
    "status must be one of open, ended",
  );
});
