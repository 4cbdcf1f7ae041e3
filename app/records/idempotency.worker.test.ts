import { expect, test } from "vitest";
import { snapshotOf } from "#tests/safe/snapshot.ts";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import {
  aCertificate,
  anEntry,
  aRopeHours,
  aSupervisor,
  aTraining,
  type Entry,
  type Supervisor,
  type Technician,
} from "#tests/worker/people.ts";

/*
 * A record that is sent twice through the JSON API is saved once.
 * Detects a key that is looked up before the INSERT (of 20 in parallel several would be saved), a key that is compared
 * without the content, and a key that is not per user.
 */

const app = await startApp();

const list = [anEntry(), anEntry({ method: "PT", hours: 2 })];

function send(who: Technician, body: unknown, key?: string) {
  return who.json("POST", "/api/entries", body, key === undefined ? {} : { "Idempotency-Key": key });
}

test("the same key with the same content is saved once, and the answers are equal", async () => {
  const ada = await app.register();
  const [first, second] = [await send(ada, list, "k1"), await send(ada, list, "k1")];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json()).toEqual(first.json());
  expect(await ada.storedEntries()).toBe(2);
});

test("the same request 20 times at once is saved once, and all 20 answers are equal", async () => {
  const ada = await app.register();
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(ada, list, "k1")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await ada.storedEntries()).toBe(2);
});

const REUSED = { code: "key_reused", message: expect.stringContaining("with another body. Nothing was saved.") };

test("the same key with other content is 409 at every call that takes one, and nothing is saved", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const other = await ada.addSupervisor({ email: "second@example.org" });
  const [entry, open, verified] = [await ada.addEntry(), await ada.addEntry(), await ada.addEntry()];
  const rope = await ada.addRopeHours();
  const link = await ada.requestVerification(verified.id, supervisor.id);
  await app.json("POST", `/api/verify/${link}`, { supervisorName: "Ola Hansen" });
  const records = [{ type: "entry", id: open.id }];
  for (const [path, first, second] of [
    ["/api/entries", list, [anEntry({ hours: 7.25 })]],
    ["/api/rope-hours", aRopeHours(), aRopeHours({ hours: 3 })],
    ["/api/training", aTraining(), aTraining({ hours: 3 })],
    ["/api/certificates", aCertificate(), aCertificate({ number: "Z-1" })],
    ["/api/supervisors", aSupervisor({ email: "a@example.net" }), aSupervisor({ email: "b@example.net" })],
    [`/api/verify-request/${entry.id}`, { supervisorId: supervisor.id }, { supervisorId: other.id }],
    [`/api/verify-request-rope/${rope.id}`, { supervisorId: supervisor.id }, { supervisorId: other.id }],
    ["/api/verification-requests", { supervisorId: supervisor.id, records }, { supervisorId: other.id, records }],
    ["/api/exports", { form: "ojt" }, { form: "ojt", from: "2020-01-01" }],
    ["/api/targets", { preset: "iso-9712-level-1-ut" }, { preset: "iso-9712-level-1-mt" }],
    ["/api/tokens", { name: "One", access: "read" }, { name: "Two", access: "read" }],
  ] as const) {
    const headers = { "Idempotency-Key": `key of ${path}` };
    const made = await ada.json("POST", path, first, headers);
    expect([path, made.status, made.status < 300 || made.text]).toEqual([path, made.status, true]);
    const before = await snapshotOf(app.db);
    const refused = await ada.json("POST", path, second, headers);
    expect([path, refused.status, refused.json()]).toEqual([path, 409, REUSED]);
    expect([path, await snapshotOf(app.db)]).toEqual([path, before]);
    const again = await ada.json("POST", path, first, headers);
    expect([path, again.status]).toEqual([path, path === "/api/tokens" ? 409 : made.status]);
  }
});

test("of 20 bodies that are sent at once under one key one is saved", async () => {
  const ada = await app.register();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => send(ada, anEntry({ hours: 1 + number }), "k1")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect(await ada.storedEntries()).toBe(1);
});

test("a key is kept for as long as what it has saved, also while that can be restored", async () => {
  const ada = await app.register();
  const [entry] = (await send(ada, anEntry(), "k1")).json<Entry[]>();
  await ada.json("DELETE", `/api/entries/${entry?.id}`);
  expect((await send(ada, anEntry({ hours: 2 }), "k1")).json()).toEqual(REUSED);
  await app.db.prepare("DELETE FROM records WHERE id = ?").bind(entry?.id).run();
  expect((await send(ada, anEntry({ hours: 2 }), "k1")).status).toBe(201);
});

test("content is equal if it parses to the same values, however it was written", async () => {
  const ada = await app.register();
  await send(ada, anEntry({ hours: 7.5 }), "k1");
  await send(ada, [anEntry({ hours: "7.50", location: " Mongstad ", ignored: true })], "k1");
  expect(await ada.storedEntries()).toBe(1);
});

test("a key has at most 200 characters; a longer one is 400 at every call that takes one, and nothing is saved", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const entry = await ada.addEntry();
  const rope = await ada.addRopeHours();
  const before = [await ada.storedEntries(), await count(app.db, "supervisors"), await count(app.db, "rope_hours")];
  for (const [path, body] of [
    ["/api/entries", list],
    ["/api/rope-hours", aRopeHours()],
    ["/api/supervisors", aSupervisor()],
    [`/api/verify-request/${entry.id}`, { supervisorId: supervisor.id }],
    [`/api/verify-request-rope/${rope.id}`, { supervisorId: supervisor.id }],
  ] as const) {
    const answer = await ada.json("POST", path, body, { "Idempotency-Key": "k".repeat(201) });
    const message = "An Idempotency-Key has at most 200 characters.";
    expect([path, answer.status, answer.json()]).toEqual([path, 400, { code: "invalid", message }]);
  }
  const after = [await ada.storedEntries(), await count(app.db, "supervisors"), await count(app.db, "rope_hours")];
  expect(after).toEqual(before);
  for (const _ of [1, 2]) expect((await send(ada, list, "k".repeat(200))).status).toBe(201);
  expect(await ada.storedEntries()).toBe((before[0] ?? 0) + 2);
});

test("another user's key does not match", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  await send(ada, list, "k1");
  const answer = await send(bob, list, "k1");
  expect(answer.json<Entry[]>().map(({ userId }) => userId)).toEqual([bob.user.id, bob.user.id]);
  expect([await ada.storedEntries(), await bob.storedEntries()]).toEqual([2, 2]);
});

test("without a key, or with another one, two equal entries are both saved", async () => {
  const ada = await app.register();
  for (const key of [undefined, undefined, "", "k1", "k2"]) await send(ada, anEntry(), key);
  expect(await ada.storedEntries()).toBe(5);
});

test("two equal entries in one request are both saved, however often it is sent", async () => {
  const ada = await app.register();
  for (const key of ["k1", "k1"]) await send(ada, [anEntry(), anEntry()], key);
  expect(await ada.storedEntries()).toBe(2);
});

// Seen to fail: 500, because all rows were one bound value, of which D1 takes 2 MB.
test("entries that are longer than one bound value are saved in their order, once", async () => {
  const ada = await app.register();
  const long = Array.from({ length: 335 }, (_, index) =>
    anEntry({ location: `Rig ${index}`, details: { note: "㌖".repeat(1_000) } }),
  );
  const [first, second] = [await send(ada, long, "k1"), await send(ada, long, "k1")];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.json<Entry[]>().map(({ location }) => location)).toEqual(long.map(({ location }) => location));
  expect(second.text === first.text).toBe(true);
  expect(await ada.storedEntries()).toBe(335);
});

test("a refused request can be corrected and sent again with its key", async () => {
  const ada = await app.register();
  expect((await send(ada, anEntry({ hours: 0 }), "k1")).status).toBe(400);
  expect((await send(ada, anEntry({ hours: 8 }), "k1")).status).toBe(201);
  expect(await ada.storedEntries()).toBe(1);
});

test("a repeated request returns its entries, even if they were verified in between", async () => {
  const ada = await app.register();
  const [entry] = (await send(ada, anEntry(), "k1")).json<Entry[]>();
  const token = await ada.requestVerification(entry?.id ?? 0);
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  const again = await send(ada, anEntry(), "k1");
  expect([again.status, again.json<Entry[]>()]).toMatchObject([201, [{ id: entry?.id, verified: true }]]);
  expect(await ada.storedEntries()).toBe(1);
});

test("a supervisor sent twice with one key is saved once", async () => {
  const ada = await app.register();
  const add = (over: object) =>
    ada.json("POST", "/api/supervisors", aSupervisor({ ...over }), { "Idempotency-Key": "k1" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => add({})));
  expect(new Set(answers.map((answer) => answer.json<Supervisor>().id)).size).toBe(1);
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(1);
  expect((await add({ email: "other@example.org" })).json()).toEqual(REUSED);
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(1);
});
