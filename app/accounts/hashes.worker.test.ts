import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * How many hashes a login makes and at what cost. Hashing takes nearly all the time of a login, so equal work means
 * that the time reveals nothing. `npm run safe` measures the time itself.
 */

const app = await startApp({ cheapHashes: true });
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
