import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { PASSWORD } from "#tests/worker/people.ts";

/*
 * What passwords are hashed for, and at what cost: nearly all the time of a log-in, so that its time tells nothing as
 * long as this is the same. How long it takes is measured by `npm run safe`.
 */

const app = await startApp({ cheapHashes: true });
const ONE = ["N=32768 r=8 p=3"];

/** Registers by the app's own call: its hash has the real cost. */
async function register(email: string): Promise<void> {
  const answer = await app.json("POST", "/api/auth/register", { email, password: PASSWORD });
  expect(answer.status).toBe(201);
}

/** What one log-in hashes. */
async function hashesOf(email: string, from = app.as(new Map())): Promise<string[]> {
  await app.hashes();
  await from.json("POST", "/api/auth/login", { email, password: "not the password" });
  return app.hashes();
}

// Seen to fail with a log-in that stops where it finds no account.
test("a log-in hashes one password at full cost, whether or not there is such an account", async () => {
  await register("known@example.com");
  expect(await hashesOf("known@example.com")).toEqual(ONE);
  expect(await hashesOf("nobody@example.com")).toEqual(ONE);
});

test("a log-in that is one too many hashes nothing", async () => {
  await register("target@example.com");
  const from = app.as(new Map());
  for (let heard = 0; heard < 10; heard += 1) expect(await hashesOf("target@example.com", from)).toEqual(ONE);
  expect(await hashesOf("target@example.com", from)).toEqual([]);
});
