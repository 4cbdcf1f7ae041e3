import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import type { Entry, Technician, User } from "#tests/worker/people.ts";
import { shapeOf } from "#tests/worker/shape.ts";

/*
 * The admin calls (spec section 7). Detects a rule about the last admin that is checked before the statement and not in
 * it, a list that runs for a user who is not an admin, and a page of entries that skips or repeats one.
 */

const app = await startApp();

/** Returns the only admins of the app: those of earlier tests lose the flag. */
async function admins(n: number): Promise<Technician[]> {
  await app.db.prepare("UPDATE users SET is_admin = 0").run();
  const made = [];
  for (let index = 0; index < n; index++) made.push(await app.register({ isAdmin: true }));
  return made;
}

async function anAdmin(): Promise<Technician> {
  const [admin] = await admins(1);
  if (!admin) throw new Error("no admin was made");
  return admin;
}

const CALLS = [
  ["GET", "/api/admin/users"],
  ["GET", "/api/admin/entries"],
  ["DELETE", "/api/admin/users/999999"],
  ["DELETE", "/api/admin/entries/999999"],
] as const;

test("the calls are for admins: 401 without a session and 403 for other users, before an invalid parameter or id is reported", async () => {
  const technician = await app.register();
  for (const [method, path] of CALLS) {
    for (const address of [path, `${path}?limit=x`]) {
      const nobody = await app.json(method, address);
      expect([address, nobody.status, nobody.json()]).toEqual([
        address,
        401,
        { code: "unauthorized", message: "Unauthorized" },
      ]);
      const answer = await technician.json(method, address);
      expect([address, answer.status, answer.json<{ message: string }>().message]).toEqual([
        address,
        403,
        "Access Denied: You don't have permission to access the admin page.",
      ]);
    }
  }
});

test("a cross-site call is refused, and other methods are answered with the allowed ones", async () => {
  const admin = await anAdmin();
  const { user } = await app.register();
  for (const [path, allow] of [
    ["/api/admin/users", "GET, HEAD"],
    ["/api/admin/entries", "GET, HEAD"],
    [`/api/admin/users/${user.id}`, "DELETE"],
    ["/api/admin/entries/1", "DELETE"],
  ] as const) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allow.includes(method)) continue;
      const answer = await admin.send(method, path);
      expect([method, path, answer.status, answer.headers.get("Allow")]).toEqual([method, path, 405, allow]);
    }
  }
  const forged = await admin.json("DELETE", `/api/admin/users/${user.id}`, undefined, {
    "Sec-Fetch-Site": "cross-site",
  });
  expect([forged.status, await count(app.db, "users", "id = ?", user.id)]).toEqual([403, 1]);
});

test("users are listed with exactly their fields and when they were locked, the last registered first, in one round trip", async () => {
  const admin = await anAdmin();
  const answer = await admin.get("/api/admin/users");
  const list = answer.json<User[]>();
  expect([answer.status, answer.trips, list[0]]).toEqual([200, 1, { ...admin.user, lockedAt: null, leftOn: null }]);
  expect(list.map(({ id }) => id)).toEqual(list.map(({ id }) => id).sort((one, other) => other - one));
  expect(list).toHaveLength(await count(app.db, "users"));
});

test("entries are listed with their owners, newest first", async () => {
  const [admin, ada] = [await anAdmin(), await app.register()];
  const entry = await ada.addEntry({ date: "2001-01-01" });
  const answer = await admin.get("/api/admin/entries");
  const { id, name, email } = ada.user;
  expect([answer.status, answer.trips, answer.json<Entry[]>()[0]]).toEqual([
    200,
    1,
    { ...entry, user: { id, name, email } },
  ]);
  expect(shapeOf(answer.json())).toEqual([shapeOf({ ...entry, user: { id, name, email } })]);
});

test("limit and before page through every entry once, by the URLs in Link", async () => {
  const [admin, ada] = [await anAdmin(), await app.register()];
  await ada.addEntries(25);
  const found: number[] = [];
  let next: string | undefined = "/api/admin/entries?limit=7";
  while (next) {
    const answer: Awaited<ReturnType<typeof admin.get>> = await admin.get(next);
    const page = answer.json<Entry[]>();
    expect(page.length).toBeLessThanOrEqual(7);
    found.push(...page.map(({ id }) => id));
    next = answer.headers.get("Link")?.match(/^<http:\/\/localhost(\/[^>]+)>; rel="next"$/)?.[1];
  }
  const all = await rows<{ id: number }>(app.db, "SELECT id FROM entries ORDER BY id DESC");
  expect(found).toEqual(all.map(({ id }) => id));
});

test("the list of users has pages as well, and an unknown parameter is named", async () => {
  const admin = await anAdmin();
  await app.register();
  const first = await admin.get("/api/admin/users?limit=1");
  const next = first.headers.get("Link")?.match(/^<http:\/\/localhost(\/[^>]+)>; rel="next"$/)?.[1] ?? "";
  const ids = [first, await admin.get(next)].flatMap((answer) => answer.json<{ id: number }[]>().map(({ id }) => id));
  expect([ids.length, (ids[0] ?? 0) > (ids[1] ?? 0)]).toEqual([2, true]);
  for (const list of ["users", "entries", "rope-hours"]) {
    const answer = await admin.get(`/api/admin/${list}?page=2`);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { message: 'There is no query parameter "page" here.' },
    ]);
  }
});

test("an invalid limit or cursor is reported; a limit above 10,000 too", async () => {
  const [admin, ada] = [await anAdmin(), await app.register()];
  for (const [query, path] of [
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["before=x", "before"],
    ["before=0", "before"],
  ]) {
    const answer = await admin.get(`/api/admin/entries?${query}`);
    const message = `${path} must be a whole number from 1`;
    expect([query, answer.status, answer.json()]).toEqual([
      query,
      400,
      { code: "invalid", message, errors: [{ path, message }] },
    ]);
  }
  await app.db
    .prepare(
      `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT ?, 'entry', '2026-11-20', 'x', 'MT', 100, '', 0 FROM json_each(?)`,
    )
    .bind(ada.user.id, JSON.stringify(Array.from({ length: 10_001 }, () => 0)))
    .run();
  expect((await admin.get("/api/admin/entries?limit=10001")).json()).toMatchObject({
    message: "limit must be at most 10000",
  });
  for (const query of ["", "?limit=10000"]) {
    const answer = await admin.get(`/api/admin/entries${query}`);
    // The list ends at 2 MB, before 10,000 records.
    const last = answer.json<Entry[]>().at(-1);
    expect(Buffer.byteLength(answer.text)).toBeGreaterThan(1_990_000);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(2_000_001);
    expect(answer.headers.get("Link")).toContain(`limit=10000&before=${last?.id}>; rel="next"`);
  }
  await app.db.prepare("DELETE FROM records WHERE user_id = ?").bind(ada.user.id).run();
});

test("deleting a user deletes all of their data and nothing else, and ends their session and their links", async () => {
  const [admin, ada, bob] = [await anAdmin(), await app.register(), await app.register()];
  for (const who of [ada, bob]) {
    await who.addEntry();
    await who.addRopeHours();
    await who.addSupervisor();
  }
  await ada.addVerifiedEntry();
  const token = await ada.requestVerification((await ada.addEntry()).id);
  const answer = await admin.json("DELETE", `/api/admin/users/${ada.user.id}`);
  expect([answer.status, answer.json()]).toEqual([200, { message: "User deleted" }]);
  for (const table of ["entries", "rope_hours", "supervisors", "sessions"]) {
    expect([table, await count(app.db, table, "user_id = ?", ada.user.id)]).toEqual([table, 0]);
    expect([table, await count(app.db, table, "user_id = ?", bob.user.id)]).toEqual([table, 1]);
  }
  expect((await ada.get("/api/user")).status).toBe(401);
  expect((await ada.get("/profile")).location).toBe("/auth");
  expect((await app.get(`/api/verify/${token}`)).status).toBe(404);
  expect((await admin.json("DELETE", `/api/admin/users/${ada.user.id}`)).status).toBe(404);
});

test("deleting an entry, verified or not, ends its link", async () => {
  const [admin, ada] = [await anAdmin(), await app.register()];
  const { entry } = await ada.addVerifiedEntry();
  const open = await ada.addEntry();
  const token = await ada.requestVerification(open.id);
  for (const id of [entry.id, open.id]) {
    const answer = await admin.json("DELETE", `/api/admin/entries/${id}`);
    expect([answer.status, answer.json()]).toEqual([200, { message: "Entry deleted" }]);
  }
  expect(await ada.storedEntries()).toBe(0);
  expect((await app.get(`/verify/${token}`)).text).toContain("Verification Failed");
  expect((await admin.json("DELETE", `/api/admin/entries/${open.id}`)).status).toBe(404);
});

test("an invalid id is answered like one that does not exist", async () => {
  const admin = await anAdmin();
  for (const kind of ["users", "entries"]) {
    const unknown = await admin.json("DELETE", `/api/admin/${kind}/999999`);
    for (const id of ["0", "-1", "1.5", "abc", "1e3", "%20", "9007199254740993"]) {
      const answer = await admin.json("DELETE", `/api/admin/${kind}/${id}`);
      expect([id, answer.status, answer.json()]).toEqual([id, 404, unknown.json()]);
    }
  }
});

test("an admin cannot delete their own account: 409, whether or not there are others", async () => {
  for (const n of [1, 2]) {
    const [admin] = await admins(n);
    const answer = await admin?.json("DELETE", `/api/admin/users/${admin.user.id}`);
    expect([answer?.status, answer?.json()]).toEqual([
      409,
      { code: "last_admin", message: "You can't delete your own account. Another admin can." },
    ]);
    expect(await count(app.db, "users", "is_admin = 1")).toBe(n);
  }
});

test("when three admins delete each other in a circle, a deleted admin no longer deletes anyone", async () => {
  for (let round = 0; round < 5; round++) {
    const circle = await admins(3);
    const answers = await Promise.all(
      circle.map((admin, index) => admin.json("DELETE", `/api/admin/users/${circle[(index + 1) % 3]?.user.id}`)),
    );
    const deleted = answers.filter(({ status }) => status === 200).length;
    expect(await count(app.db, "users", "is_admin = 1")).toBe(3 - deleted);
    expect(deleted).toBeLessThan(3);
  }
});

test("if the database fails, nothing is deleted and the answer does not say why", async () => {
  const [admin, ada] = [await anAdmin(), await app.register()];
  const answer = await admin.json("DELETE", `/api/admin/users/${ada.user.id}`, undefined, {
    "x-fail-d1-round-trip": "2",
  });
  expect([answer.status, answer.text]).toEqual([500, expect.not.stringContaining("D1")]);
  expect(await count(app.db, "users", "id = ?", ada.user.id)).toBe(1);
});
