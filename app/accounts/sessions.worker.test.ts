import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { PASSWORD } from "#tests/worker/people.ts";

const app = await startApp();
const secure = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "https://hours.example" });

const DAY = 24 * 60 * 60 * 1000;
const account = { email: "kari@example.com", password: PASSWORD };

/** Returns the attributes of a cookie, sorted, without its value. */
function attributesOf(answer: Answer, name: string): string[] | undefined {
  return answer.setCookie(name)?.split("; ").slice(1).sort();
}

test("over http the session cookie has no __Host- prefix, so that clients other than browsers can sign in", async () => {
  const answer = await app.json("POST", "/api/auth/register", account);
  expect(attributesOf(answer, "session")).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
});

test("over https the cookies are __Host-, Secure, HttpOnly and SameSite=Lax", async () => {
  const registered = await secure.json("POST", "/api/auth/register", account);
  const loggedIn = await secure.post("/auth", account);
  expect(registered.status).toBe(201);
  for (const answer of [registered, loggedIn]) {
    expect(attributesOf(answer, "__Host-session")).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
    expect(answer.setCookie("session")).toBeUndefined();
  }
  expect(attributesOf(loggedIn, "__Host-flash")).toEqual([
    "HttpOnly",
    "Max-Age=60",
    "Path=/",
    "SameSite=Lax",
    "Secure",
  ]);
});

test("over https a session cookie without the __Host- prefix is ignored", async () => {
  const ada = await secure.register();
  const value = ada.cookies.get("__Host-session") ?? "";
  expect((await ada.get("/api/user")).status).toBe(200);
  expect((await secure.as(new Map([["session", value]])).get("/api/user")).status).toBe(401);
});

test("PUBLIC_ORIGIN alone decides whether cookies are secure, and no request header does", async () => {
  const behindProxy = await secure.json("POST", "/api/auth/login", account, { "X-Forwarded-Proto": "http" });
  expect(behindProxy.setCookie("__Host-session")).toBeDefined();
  const pretended = await app.json("POST", "/api/auth/login", account, { "X-Forwarded-Proto": "https" });
  expect(pretended.setCookie("session")).toBeDefined();
});

// Catches a table keyed by the token itself.
test("the database stores a hash of the session token and nothing else that identifies it", async () => {
  const ada = await app.register();
  const token = JSON.parse(atob(decodeURIComponent(ada.cookies.get("session") ?? "")));
  expect(token).toMatch(/^[\w-]{43}$/);
  const stored = await rows(app.db, "SELECT * FROM sessions WHERE user_id = ?", ada.user.id);
  expect(stored).toHaveLength(1);
  expect(stored[0]?.id).toBe(createHash("sha256").update(token).digest("hex"));
  expect(JSON.stringify(stored)).not.toContain(token);
});

test("a session ends 30 days after sign-in, and using it does not extend it", async () => {
  const before = Date.now();
  const ada = await app.register();
  const expiry = async () =>
    Number((await rows(app.db, "SELECT expires_at FROM sessions WHERE user_id = ?", ada.user.id))[0]?.expires_at);
  const expiresAt = await expiry();
  expect(expiresAt).toBeGreaterThanOrEqual(before + 30 * DAY);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 30 * DAY);
  await ada.get("/profile");
  expect(await expiry()).toBe(expiresAt);

  const endsAt = (at: number) =>
    app.db.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?").bind(at, ada.user.id).run();
  await endsAt(Date.now() + 60_000);
  expect((await ada.get("/api/user")).status).toBe(200);
  await endsAt(Date.now());
  expect((await ada.get("/api/user")).status).toBe(401);
  expect((await ada.get("/profile")).location).toBe("/auth");
});

// Catches a logout that only clears the cookie.
test("logging out ends this session on the server, and no other", async () => {
  const ada = await app.register();
  const phone = app.as(new Map());
  await phone.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  const kept = new Map(ada.cookies);

  const answer = await ada.json("POST", "/api/auth/logout", {});
  expect([answer.status, answer.json()]).toEqual([200, { message: "Logged out successfully" }]);
  expect(answer.setCookie("session")).toMatch(/^session=; Max-Age=0;/);
  expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect((await ada.as(kept).get("/api/user")).status).toBe(401);
  expect((await phone.get("/api/user")).status).toBe(200);
});

test("signing in again ends the browser's previous session, and no other user's", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const before = new Map(ada.cookies);
  await ada.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  expect((await ada.get("/api/user")).status).toBe(200);
  expect((await ada.as(before).get("/api/user")).status).toBe(401);
  expect((await bob.get("/api/user")).status).toBe(200);
});

test("registering in a signed-in browser ends its previous session, and no other", async () => {
  const ada = await app.register();
  const phone = app.as(new Map());
  await phone.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  for (const form of [false, true]) {
    const before = new Map(phone.cookies);
    const fresh = { email: `fresh-${form}@example.com`, password: PASSWORD };
    const answer = form
      ? await phone.post("/auth?tab=register", fresh)
      : await phone.json("POST", "/api/auth/register", fresh);
    expect([answer.status, answer.trips]).toEqual([form ? 303 : 201, 2]);
    expect((await phone.get("/api/user")).json()).toMatchObject({ email: fresh.email });
    expect((await phone.as(before).get("/api/user")).status).toBe(401);
  }
  expect((await ada.get("/api/user")).status).toBe(200);
});

test("a failed login or registration keeps the browser's session", async () => {
  const ada = await app.register();
  await ada.json("POST", "/api/auth/login", { email: ada.user.email, password: "wrong" });
  expect((await ada.json("POST", "/api/auth/register", { email: ada.user.email, password: PASSWORD })).status).toBe(
    409,
  );
  expect((await ada.get("/api/user")).status).toBe(200);
});

test("an account has at most 100 sessions: a login ends its oldest in the same round trip, and no other account's", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  // As a clock that was ahead has stored them: the new one stays all the same.
  const add = app.db.prepare(
    `INSERT INTO sessions (id, user_id, created_at, expires_at) SELECT lower(hex(randomblob(32))), ?, ? + value, ?
      FROM json_each('[${Array.from({ length: 120 }, (_, number) => number)}]')`,
  );
  const later = Date.now() + 3_600_000;
  await app.db.batch([ada, bob].map(({ user }) => add.bind(user.id, later, later + DAY)));
  const phone = app.as(new Map());
  const answer = await phone.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  expect([answer.status, answer.trips]).toEqual([200, 2]);
  const left = await rows<{ at: number }>(
    app.db,
    "SELECT created_at AS at FROM sessions WHERE user_id = ? ORDER BY created_at DESC LIMIT 99",
    ada.user.id,
  );
  expect(left.map(({ at }) => at)).toEqual(Array.from({ length: 99 }, (_, number) => later + 119 - number));
  expect(await count(app.db, "sessions", "user_id = ?", ada.user.id)).toBe(100);
  expect([(await phone.get("/api/user")).status, (await ada.get("/api/user")).status]).toEqual([200, 401]);
  expect(await count(app.db, "sessions", "user_id = ?", bob.user.id)).toBe(121);
});

test("a made-up session cookie counts as signed out and causes no error", async () => {
  for (const value of ["x", "%E0%A4%A", "bnVsbA", "e30%3D", "MQ%3D%3D", "a".repeat(4000), "'; DROP TABLE users;--"]) {
    const answer = await app.as(new Map([["session", value]])).get("/api/user");
    expect([value.slice(0, 20), answer.status]).toEqual([value.slice(0, 20), 401]);
  }
});

test("deleting an account signs it out everywhere at once: 401 from the API, a redirect to /auth from a page", async () => {
  const ada = await app.register();
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(ada.user.id).run();
  expect((await ada.get("/api/user")).status).toBe(401);
  expect((await ada.json("POST", "/api/entries", [])).status).toBe(401);
  const page = await ada.get("/profile");
  expect([page.status, page.location]).toEqual([303, "/auth"]);
  expect((await ada.get("/auth")).status).toBe(200);
});

test("the scheduled clean-up deletes expired sessions and no others", async () => {
  const [over, live] = [await app.register(), await app.register()];
  await app.db.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?").bind(Date.now(), over.user.id).run();
  await app.tick(new Date());
  expect(await count(app.db, "sessions", "user_id = ?", over.user.id)).toBe(0);
  expect(await count(app.db, "sessions", "user_id = ?", live.user.id)).toBe(1);
});
