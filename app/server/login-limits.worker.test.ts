import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { all, logIn, pass, refused, statuses, times, visitor } from "#tests/worker/attempts.ts";
import type { Client } from "#tests/worker/client.ts";
import { count, rows } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * The rate limits of login, each at its exact boundary. Time passes by moving the counted attempts into the past.
 * Catches: counting after the password check (a hundred concurrent attempts would all be checked); `<=` in place of `<`
 * at either end; a limit by email address alone (another person's failures would lock the account); a fixed window that
 * starts with its first attempt (nineteen failures within fifteen minutes).
 */

const app = await startApp();
const MINUTE = 60_000;

test("ten failed logins in fifteen minutes are checked; the eleventh is refused, even with the right password", async () => {
  const began = Date.now();
  const { user } = await app.register();
  const from = visitor(app);
  expect(statuses(await times(10, () => logIn(from, user.email)))).toEqual(all(10, 401));
  const seconds = refused(await logIn(from, user.email, PASSWORD));
  expect(seconds).toBeGreaterThanOrEqual(15 * 60 - Math.ceil((Date.now() - began) / 1000));
  expect(seconds).toBeLessThanOrEqual(15 * 60);
});

test("a locked login affects one account from one network: other networks and other accounts still log in", async () => {
  const [{ user }, neighbour] = [await app.register(), await app.register()];
  const from = visitor(app);
  await times(11, () => logIn(from, user.email));
  expect((await logIn(visitor(app), user.email, PASSWORD)).status).toBe(200);
  expect((await logIn(from, neighbour.user.email, PASSWORD)).status).toBe(200);
});

test("an IPv6 client gets no new attempts from another address of its own network", async () => {
  const { user } = await app.register();
  const answers = [];
  for (let i = 1; i <= 11; i++) answers.push(await logIn(visitor(app, `2001:db8:7:7::${i}`), user.email));
  expect(statuses(answers)).toEqual([...all(10, 401), 429]);
});

test("only failures count: successful logins are not limited", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  const before = await count(app.db, "attempts", "1");
  expect(statuses(await times(12, () => logIn(from, user.email, PASSWORD)))).toEqual(all(12, 200));
  expect(await count(app.db, "attempts", "1")).toBe(before);
});

test("an unknown email address is rate limited like a known one", async () => {
  const from = visitor(app);
  expect(statuses(await times(11, () => logIn(from, "nobody@example.com")))).toEqual([...all(10, 401), 429]);
});

test("the window slides: an attempt is accepted again fifteen minutes after the oldest one counted, and no sooner", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  const began = Date.now();
  await logIn(from, user.email);
  await pass(app, 5 * MINUTE);
  await times(9, () => logIn(from, user.email));
  const seconds = refused(await logIn(from, user.email));
  expect(seconds).toBeLessThanOrEqual(10 * 60);
  expect(seconds).toBeGreaterThanOrEqual(10 * 60 - Math.ceil((Date.now() - began) / 1000));
  // A minute to spare for the request itself.
  await pass(app, (seconds - 60) * 1000);
  expect(refused(await logIn(from, user.email))).toBeLessThanOrEqual(60);
  await pass(app, MINUTE);
  expect((await logIn(from, user.email)).status).toBe(401);
  refused(await logIn(from, user.email));
});

test("failures counted while the clock was a year ahead lock no user out once the clock is right again", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  await times(10, () => logIn(from, user.email));
  refused(await logIn(from, user.email, PASSWORD));
  await pass(app, -365 * 24 * 60 * MINUTE);
  expect((await logIn(from, user.email, PASSWORD)).status).toBe(200);
  await app.tick(new Date());
  expect(await count(app.db, "attempts", "at > ?", Date.now() + 2 * MINUTE)).toBe(0);
});

test("fifty of 200 concurrent wrong logins to 200 accounts from one network are checked", async () => {
  const from = visitor(app);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      from.json("POST", "/api/auth/login", { email: `crew-${number}@example.com`, password: "not the password" }),
    ),
  );
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(50);
  expect(statuses(answers).filter((status) => status === 429)).toHaveLength(150);
});

/** Makes a network fail that many more times, each time at another account. */
async function fail(from: Client, times: number): Promise<void> {
  await logIn(from, `${crypto.randomUUID()}@example.com`);
  // The network's attempt is counted after the account's.
  const [last] = await rows<{ subject: string; at: number }>(app.db, "SELECT * FROM attempts ORDER BY id DESC LIMIT 1");
  await app.db
    .prepare("INSERT INTO attempts (subject, at) SELECT ?, ? FROM json_each(?)")
    .bind(last?.subject, last?.at, JSON.stringify(Array<number>(times - 1).fill(0)))
    .run();
}

test("after fifty failures in fifteen minutes a network is refused for at most fifteen, and no other network is", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  await fail(from, 49);
  expect((await logIn(from, "fiftieth@example.com")).status).toBe(401);
  const answer = await logIn(from, user.email, PASSWORD);
  expect(refused(answer)).toBeLessThanOrEqual(15 * 60);
  expect(answer.json().message).toMatch(/^There were too many failed log-ins from your network\./);
  expect(answer.trips).toBe(1);
  expect((await logIn(visitor(app), user.email, PASSWORD)).status).toBe(200);
  // Refused attempts do not count: trying again does not extend the wait.
  for (let again = 0; again < 5; again += 1) refused(await logIn(from, user.email, PASSWORD));
  await pass(app, 15 * MINUTE);
  expect((await logIn(from, user.email, PASSWORD)).status).toBe(200);
});

test("a successful login does not count against its network, and neither does a signed-in user's password check", async () => {
  const owner = await app.register();
  const from = visitor(app);
  await fail(from, 49);
  for (let again = 0; again < 3; again += 1) expect((await logIn(from, owner.user.email, PASSWORD)).status).toBe(200);
  owner.address = from.address;
  const change = { currentPassword: "not the password", newPassword: "another horse battery" };
  for (let again = 0; again < 3; again += 1) {
    expect((await owner.json("POST", "/api/user/password", change)).status).toBe(400);
  }
  expect((await logIn(from, "fiftieth@example.com")).status).toBe(401);
  refused(await logIn(from, owner.user.email, PASSWORD));
});

test("a refused login hashes nothing, takes one round trip and stores nothing", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  await times(10, () => logIn(from, user.email));
  const before = await count(app.db, "attempts", "1");
  const answer = await logIn(from, user.email, PASSWORD);
  expect([answer.status, answer.trips]).toEqual([429, 1]);
  expect(await count(app.db, "attempts", "1")).toBe(before);
});

test("the alert says how long to wait, and the form keeps the email address", async () => {
  const { user } = await app.register();
  const from = visitor(app);
  const page = await from.get("/auth");
  const send = () => from.submit(page, "/auth", { email: user.email, password: "not the password" });
  await times(10, send);
  const answer = await send();
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(textOf(answer.text)).toMatch(
    /There were too many failed log-ins\. You can reset your password instead\. Please try again in 1[0-5] minutes\./,
  );
  expect(answer.text).toContain(`value="${user.email}"`);
});
