import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn, textsOf } from "#tests/worker/html.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

interface Session {
  reference: string;
  isCurrent: boolean;
  createdAt: string;
  address: string | null;
  place: string | null;
  browser: string | null;
}

const app = await startApp();

async function signIn({ user }: Technician, headers: Record<string, string> = {}): Promise<Client> {
  const client = app.as(new Map());
  const answer = await client.json("POST", "/api/auth/login", { email: user.email, password: PASSWORD }, headers);
  expect(answer.status).toBe(200);
  return client;
}

const listOf = async (who: Client) => (await who.get("/api/user/sessions")).json<Session[]>();
const statusOf = async (who: Client) => (await who.get("/api/user")).status;

/** Returns the reference of this client's session. */
async function referenceOf(who: Client): Promise<string> {
  return (await listOf(who)).find(({ isCurrent }) => isCurrent)?.reference ?? "";
}

test("the list holds the user's active sessions, the current one first, and no token", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [phone, tablet] = [await signIn(ada), await signIn(ada)];
  const ended = await signIn(ada);
  await app.db
    .prepare("UPDATE sessions SET expires_at = ? WHERE reference = ?")
    .bind(Date.now(), await referenceOf(ended))
    .run();
  const answer = await phone.get("/api/user/sessions");
  const list = answer.json<Session[]>();
  expect([answer.trips, list.map(({ isCurrent }) => isCurrent)]).toEqual([1, [true, false, false]]);
  const references = await Promise.all([phone, tablet, ada].map(referenceOf));
  expect(list.map(({ reference }) => reference)).toEqual(references);
  expect(references).not.toContain(await referenceOf(bob));
  for (const { id } of await rows<{ id: string }>(app.db, "SELECT id FROM sessions")) {
    expect(answer.text + (await phone.get("/account")).text).not.toContain(id);
  }
});

test("a session records browser, place and address of its request, by page and by API", async () => {
  const ada = await app.register();
  const USER_AGENT = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
  const from = { "CF-Connecting-IP": "203.0.113.9", "User-Agent": USER_AGENT };
  const phone = await signIn(ada, from);
  expect((await listOf(phone))[0]).toMatchObject({
    address: "203.0.113.9",
    place: null,
    browser: "Firefox on Android",
  });
  const tablet = app.as(new Map());
  await tablet.post("/auth", { email: ada.user.email, password: PASSWORD }, from);
  expect((await listOf(tablet))[0]).toMatchObject({ address: "203.0.113.9", browser: "Firefox on Android" });
  const fresh = app.as(new Map());
  await fresh.json("POST", "/api/auth/register", { email: "fresh@example.com", password: PASSWORD }, from);
  expect(await listOf(fresh)).toEqual([
    expect.objectContaining({ isCurrent: true, address: "203.0.113.9", browser: "Firefox on Android" }),
  ]);
  expect(textsOf((await phone.get("/account")).text, "tr")[1]).toMatch(
    /^Firefox on Android 203\.0\.113\.9 Signed in \d+ \w+ \d{4}, \d\d:\d\d This device$/,
  );
  // A browser's name is escaped, whatever it is.
  const odd = await signIn(ada, { "User-Agent": "<b>x</b>" });
  expect(textsOf((await odd.get("/account")).text, "tr")[1]).toMatch(/^Unknown browser/);
});

test("DELETE by reference ends that session and no other", async () => {
  const ada = await app.register();
  const [phone, tablet] = [await signIn(ada), await signIn(ada)];
  const path = `/api/user/sessions/${await referenceOf(phone)}`;
  const answer = await ada.json("DELETE", path);
  expect([answer.status, answer.json(), answer.setCookie("session")]).toEqual([
    200,
    { message: "Session ended" },
    undefined,
  ]);
  expect([await statusOf(ada), await statusOf(phone), await statusOf(tablet)]).toEqual([200, 401, 200]);
  expect((await ada.json("DELETE", path)).status).toBe(404);
});

test("ending the current session logs out", async () => {
  const ada = await app.register();
  const answer = await ada.json("DELETE", `/api/user/sessions/${await referenceOf(ada)}`);
  expect(answer.setCookie("session")).toMatch(/^session=; Max-Age=0;/);
  expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect(await count(app.db, "sessions", "user_id = ?", ada.user.id)).toBe(0);
});

test("DELETE of all ends the user's other sessions, and no other user's", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [phone, tablet] = [await signIn(ada), await signIn(ada)];
  const answer = await phone.json("DELETE", "/api/user/sessions");
  expect([answer.status, answer.json(), answer.trips]).toEqual([200, { message: "Other sessions ended" }, 1]);
  const left = await Promise.all([phone, ada, tablet, bob].map(statusOf));
  expect(left).toEqual([200, 401, 401, 200]);
  expect((await phone.json("DELETE", "/api/user/sessions")).status).toBe(200);
});

test("the page describes each session, marks this device, and ends one or all others", async () => {
  const ada = await app.register();
  const [phone, tablet] = [await signIn(ada), await signIn(ada)];
  const page = await ada.get("/account");
  expect(textsOf(page.text, "tr")).toHaveLength(4);
  expect(textsOf(page.text, "tr")[1]).toMatch(/This device$/);
  const { buttons } = formIn(page.text, "/account/sessions");
  const label = expect.stringMatching(/^End session, /);
  expect(buttons.map((button) => button.label)).toEqual([label, label, "End all other sessions"]);

  const phones = { session: await referenceOf(phone) };
  const one = await ada.post("/account/sessions", phones);
  expect([one.status, one.location, one.trips]).toEqual([303, "/account", 2]);
  expect(textsOf((await ada.follow(one)).text, "div", 'role="status"')).toEqual(["Session ended"]);
  expect([await statusOf(phone), await statusOf(tablet)]).toEqual([401, 200]);
  // A double tap: ending an ended session is no error.
  const twice = await ada.follow(await ada.post("/account/sessions", phones));
  expect(textsOf(twice.text, "div", 'role="status"')).toEqual(["Session ended"]);

  const others = await ada.submit(page, "/account/sessions", {}, "End all other sessions");
  const alone = await ada.follow(others);
  expect(textsOf(alone.text, "div", 'role="status"')).toEqual(["Other sessions ended"]);
  expect([await statusOf(tablet), await statusOf(ada)]).toEqual([401, 200]);
  expect(alone.text).not.toContain("End all other sessions");
});

test("the page cannot end another user's session", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  await ada.post("/account/sessions", { session: await referenceOf(bob) });
  expect(await statusOf(bob)).toBe(200);
});

test("the list of sessions is limited in length", async () => {
  const ada = await app.register();
  await app.db
    .prepare(
      `INSERT INTO sessions (id, user_id, created_at, expires_at, reference)
        SELECT lower(hex(randomblob(32))), ?, 1 + value, ?, lower(hex(randomblob(8)))
        FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 150) SELECT * FROM n)`,
    )
    .bind(ada.user.id, Date.now() + 60_000)
    .run();
  const list = await listOf(ada);
  expect([list.length, list[0]?.isCurrent]).toEqual([100, true]);
});
