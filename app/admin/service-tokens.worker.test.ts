import { expect, test } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { formIn } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";
import { withToken } from "#tests/worker/tokens.ts";

/* Service tokens: what they read, that they do nothing else, and how they end. access-tokens.test.ts has every route. */

const app = await startApp();

interface Made {
  id: number;
  token: string;
  expiresOn: string;
}

async function makeServiceToken(admin: Technician, more: object = {}): Promise<Made> {
  const answer = await admin.json("POST", "/api/admin/tokens", { name: "HR", access: "read", ...more });
  expect(answer.status).toBe(201);
  return answer.json<Made>();
}

const statusOf = async (token: string) => (await withToken(app, token)("GET", "/api/admin/users")).status;

test("a service token reads all users, records and events, and one user's data without links", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { id } = await kari.addEntry();
  const link = await kari.requestVerification(id, (await kari.addSupervisor()).id);
  const call = withToken(app, (await makeServiceToken(admin)).token);
  const users = (await call("GET", "/api/admin/users")).json<{ id: number }[]>();
  expect(users.map((user) => user.id)).toEqual(expect.arrayContaining([admin.user.id, kari.user.id]));
  const entries = (await call("GET", "/api/admin/entries")).json<object[]>();
  expect(entries).toContainEqual(expect.objectContaining({ id, user: expect.objectContaining({ id: kari.user.id }) }));
  const events = (await call("GET", "/api/admin/events")).json<object[]>();
  expect(events).toContainEqual(
    expect.objectContaining({ type: "record.created", userId: kari.user.id, record: { type: "entry", id } }),
  );
  const file = await call("GET", `/api/admin/users/${kari.user.id}/export.json`);
  expect([file.status, file.text.includes(kari.user.email), file.text.includes(link)]).toEqual([200, true, false]);
  for (const path of ["rope-hours", "training", "certificates", "export.csv?tab=users", "progress.csv"]) {
    expect([path, (await call("GET", `/api/admin/${path}`)).status]).toEqual([path, 200]);
  }
});

test("a service token does nothing else: each other call is 403 and changes nothing", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const { id } = await kari.addEntry();
  const { token } = await makeServiceToken(admin);
  const call = withToken(app, token);
  for (const [method, path, body] of [
    ["GET", "/api/user", undefined],
    ["GET", "/api/entries", undefined],
    ["GET", "/api/events", undefined],
    ["GET", "/api/export.json", undefined],
    ["GET", "/api/admin/system", undefined],
    ["GET", "/api/admin/tokens", undefined],
    ["GET", `/api/admin/entries/${id}/verification`, undefined],
    ["POST", "/api/entries", [{}]],
    ["POST", "/api/admin/tokens", { name: "Another", access: "read" }],
    ["DELETE", `/api/admin/entries/${id}`, undefined],
    ["POST", `/api/admin/users/${kari.user.id}/lock`, undefined],
  ] as const) {
    const answer = await call(method, path, body);
    expect([method, path, answer.status, answer.json().code]).toEqual([method, path, 403, "service_token"]);
  }
  expect(await count(app.db, "records", "id = ? AND deleted_at IS NULL", id)).toBe(1);
  expect(await statusOf(token)).toBe(200);
});

test("a personal token of an admin reads the same, and a technician's token, personal or not, reads none of it", async () => {
  const [admin, kari] = [await app.register({ isAdmin: true }), await app.register()];
  const own = (await admin.json("POST", "/api/tokens", { name: "Mine", access: "read" })).json<Made>();
  expect((await withToken(app, own.token)("GET", "/api/admin/events")).status).toBe(200);
  const karis = (await kari.json("POST", "/api/tokens", { name: "Mine", access: "read" })).json<Made>();
  const answer = await withToken(app, karis.token)("GET", "/api/admin/events");
  expect([answer.status, answer.json().code]).toEqual([403, "admin_only"]);
  const refused = await kari.json("POST", "/api/admin/tokens", { name: "HR", access: "read" });
  expect([refused.status, refused.json().code]).toEqual([403, "admin_only"]);
});

test("a service token works for 90 days if no last day is sent, and cannot write", async () => {
  const admin = await app.register({ isAdmin: true });
  const { expiresOn } = await makeServiceToken(admin);
  const days = (Date.parse(expiresOn) - Date.parse(new Date().toISOString().slice(0, 10))) / 86_400_000;
  expect(days).toBe(90);
  const answer = await admin.json("POST", "/api/admin/tokens", { name: "HR", access: "write" });
  expect([answer.status, answer.json().message]).toEqual([400, "Access must be read"]);
});

const ENDS: [how: string, end: (admin: Technician, other: Technician) => Promise<unknown>][] = [
  ["is unmade", ({ user }, other) => other.json("POST", `/api/admin/users/${user.id}/remove-admin`)],
  ["is locked", ({ user }, other) => other.json("POST", `/api/admin/users/${user.id}/lock`)],
  ["has left", ({ user }, other) => other.json("POST", `/api/admin/users/${user.id}/has-left`, {})],
  ["is deleted", ({ user }, other) => other.json("DELETE", `/api/admin/users/${user.id}`)],
  ["is unmade by a statement of the operator", ({ user }) => unmake(app, user.id)],
];

const unmake = (where: App, id: number) =>
  where.db.prepare("UPDATE users SET is_admin = 0 WHERE id = ?").bind(id).run();

test.each(ENDS)("a service token ends for good when the admin who made it %s", async (_, end) => {
  const [admin, other] = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })];
  const [ended, stays] = [await makeServiceToken(admin), await makeServiceToken(other)];
  expect(await statusOf(ended.token)).toBe(200);
  await end(admin, other);
  expect([await statusOf(ended.token), await statusOf(stays.token)]).toEqual([401, 200]);
  await app.db
    .prepare("UPDATE users SET is_admin = 1, locked_at = NULL, left_on = NULL WHERE id = ?")
    .bind(admin.user.id)
    .run();
  expect(await statusOf(ended.token)).toBe(401);
});

test("a personal token of an admin who is unmade stays, and reads no list of admins", async () => {
  const admin = await app.register({ isAdmin: true });
  const { token } = (await admin.json("POST", "/api/tokens", { name: "Mine", access: "read" })).json<Made>();
  await unmake(app, admin.user.id);
  expect([(await withToken(app, token)("GET", "/api/user")).status, await statusOf(token)]).toEqual([200, 403]);
});

test("the use of a service token is one line of the log on each day of use", async () => {
  const own = await startApp();
  const admin = await own.register({ isAdmin: true });
  await own.setClock(new Date("2026-03-02T23:20:00Z"));
  const { id, token } = (await admin.json("POST", "/api/admin/tokens", { name: "HR", access: "read" })).json<Made>();
  const call = withToken(own, token);
  for (const [at, expected] of [
    ["2026-03-02T23:30:00Z", 1],
    ["2026-03-02T23:59:00Z", 1],
    ["2026-03-03T00:10:00Z", 2],
    ["2026-03-03T00:20:00Z", 2],
    ["2026-03-03T21:00:00Z", 2],
    ["2026-03-05T08:00:00Z", 3],
  ] as const) {
    await own.setClock(new Date(at));
    const ray = Date.parse(at).toString(16).padStart(16, "0");
    expect((await call("GET", "/api/admin/users", undefined, { "CF-Ray": ray })).status).toBe(200);
    const lines = await own.logged(({ event, id }) => event === "request" && id === ray);
    const uses = lines.filter(({ what, token }) => what === "service_token_used" && token === id);
    expect([at, uses.length]).toEqual([at, expected]);
  }
});

test("all admins see each service token with who made it, and end it; the account's own list does not have it", async () => {
  const [admin, other] = [await app.register({ isAdmin: true }), await app.register({ isAdmin: true })];
  const { id, token } = await makeServiceToken(admin, { name: "Payroll of Bergen" });
  const [first] = (await other.get("/api/admin/tokens?limit=1")).json<object[]>();
  const { name, email } = admin.user;
  expect(first).toMatchObject({ id, name: "Payroll of Bergen", user: { id: admin.user.id, name, email } });
  expect((await admin.get("/api/tokens")).json()).toEqual([]);
  expect((await admin.json("DELETE", `/api/tokens/${id}`)).status).toBe(404);
  expect((await other.json("DELETE", `/api/admin/tokens/${id}`)).json()).toEqual({ message: "Token ended" });
  expect(await statusOf(token)).toBe(401);
  expect((await other.json("DELETE", `/api/admin/tokens/${id}`)).status).toBe(404);
});

test("without script an admin makes a service token, sees it once, and ends it on the page", async () => {
  const admin = await app.register({ isAdmin: true });
  const page = await admin.get("/admin/tokens");
  const { action } = formIn(page.text, "/admin/tokens");
  const made = await admin.post(action, { name: "Payroll of Oslo", access: "read", expiresOn: "" });
  const [, token = ""] = /(ht_[\w-]{43})</.exec(made.text) ?? [];
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(await statusOf(token)).toBe(200);
  const again = await admin.post(action, { name: "Payroll of Oslo", access: "read", expiresOn: "" });
  expect([again.status, again.text.includes("This token was made already")]).toEqual([409, true]);
  const list = await admin.get("/admin/tokens");
  expect([list.text.includes("Payroll of Oslo"), list.text.includes(token)]).toEqual([true, false]);
  const [, id = ""] = /value="(\d+)"[^>]*aria-label="End token Payroll of Oslo"/.exec(list.text) ?? [];
  expect((await admin.post("/admin/end-token", { token: id })).location).toBe("/admin/tokens");
  expect(await statusOf(token)).toBe(401);
  const kari = await app.register();
  expect((await kari.get("/admin/tokens")).location).toBe("/profile");
});
