import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { logIn, visitor } from "#tests/worker/attempts.ts";
import { count } from "#tests/worker/database.ts";
import { openReset } from "#tests/worker/open-links.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * How many hashes a login makes and at what cost. Hashing takes nearly all the time of a login, so equal work means
 * that the time reveals nothing. `npm run safe` measures the time itself.
 */

const app = await startApp();
const ONE = ["N=32768 r=8 p=3"];

/** Registers through the API, so that the hash has the real cost. */
async function register(email: string): Promise<void> {
  const answer = await app.json("POST", "/api/auth/register", { email, password: PASSWORD });
  expect(answer.status).toBe(201);
}

/** Returns the hashes that one login makes. */
async function hashesOf(email: string, from = app.as(new Map())): Promise<string[]> {
  await app.hashes();
  await from.json("POST", "/api/auth/login", { email, password: "not the password" });
  return app.hashes();
}

// Seen to fail with a login that stops when it finds no account.
test("a login hashes one password at full cost, whether or not the account exists", async () => {
  await register("known@example.com");
  expect(await hashesOf("known@example.com")).toEqual(ONE);
  expect(await hashesOf("nobody@example.com")).toEqual(ONE);
});

test("a login over the rate limit hashes nothing", async () => {
  await register("target@example.com");
  const from = app.as(new Map());
  for (let checked = 0; checked < 10; checked += 1) expect(await hashesOf("target@example.com", from)).toEqual(ONE);
  expect(await hashesOf("target@example.com", from)).toEqual([]);
});

// Right passwords and open links count for no limit: sixty of one account kept all others from logging in.
test("most of thirty passwords of one account at once are refused, and another account logs in meanwhile", async () => {
  const [admin, bob] = [await app.register({ isAdmin: true }), await app.register()];
  const devices = [admin, app.as(new Map()), app.as(new Map())];
  for (const device of devices) await logIn(device, admin.user.email, PASSWORD);
  await openReset(app.db, admin.user.id, "of-admin");
  const path = "/api/auth/reset-password/of-admin";
  const ways = {
    logIn: () => logIn(app, admin.user.email, PASSWORD),
    // An admin cannot delete their own account, and gets that answer once the password was right.
    delete: (number: number) => devices[number % 3]?.json("DELETE", "/api/user", { password: PASSWORD }),
    reset: () => app.json("POST", path, { password: "a brand new password" }),
  };
  for (const [way, send] of Object.entries(ways)) {
    await app.hashes();
    const sent = Promise.all(Array.from({ length: 30 }, (_, number) => send(number)));
    expect([way, (await logIn(app, bob.user.email, PASSWORD)).status]).toEqual([way, 200]);
    const refused = (await sent).filter((answer) => answer?.status === 429);
    expect(new Set(refused.map((answer) => answer?.json().code))).toEqual(new Set(["busy"]));
    // Two and the other account's, and one more for each that ended before the last had arrived.
    const hashed = (await app.hashes()).length;
    expect([way, hashed >= 3, hashed < 20]).toEqual([way, true, true]);
  }
});

// Seen to fail where a log-in counted as failed until it was hashed: fifty right ones that wait refused all others of
// their network.
test("ten right passwords in each of ten accounts at once count for no limit, and their network still logs in", async () => {
  const [bob = await app.register(), ...ten] = await app.registerAll(...Array.from({ length: 11 }, () => ({})));
  const before = await count(app.db, "attempts", "1");
  const office = visitor(app);
  const sent = ten.flatMap(({ user }) =>
    Array.from({ length: 10 }, () => logIn(visitor(app, office.address), user.email, PASSWORD)),
  );
  expect((await logIn(office, bob.user.email, PASSWORD)).status).toBe(200);
  const answers = await Promise.all(sent);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map((answer) => answer.json().code))).toEqual(new Set(["busy"]));
  expect(await count(app.db, "attempts", "1")).toBe(before);
});
