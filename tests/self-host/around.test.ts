import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANSWERS_WITHOUT, answersToBodies } from "#tests/worker/safe-bodies.ts";
import { dataFolder, register, start, visit } from "./start.ts";

/** How each of eleven failed log-ins is answered that say to come from so many addresses. */
async function elevenTries(env: Record<string, string> = {}): Promise<number[]> {
  const running = await start(dataFolder(), { SESSION_SECRET: "a secret for tests, of 32 bytes and more", ...env });
  const statuses: number[] = [];
  for (let i = 1; i <= 11; i += 1) {
    const answer = await visit(`${running.url}/api/auth/login`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "CF-Connecting-IP": `203.0.113.${i}`,
        "X-Forwarded-For": `192.0.2.1, 198.51.100.${i}`,
      },
      body: JSON.stringify({ email: "ada@example.com", password: "a guess" }),
    });
    statuses.push(answer.status);
  }
  return statuses;
}

const TEN = Array(10).fill(401);

// Catches a front door that hands on what a client says: anybody could then guess passwords as often as they like.
test("the client's address is that of the connection, whatever the client says of itself", async () => {
  expect(await elevenTries()).toEqual([...TEN, 429]);
});

test("behind a trusted proxy it is the one that the proxy wrote", async () => {
  expect(await elevenTries({ TRUST_PROXY: "1" })).toEqual([...TEN, 401]);
});

/** Whether the clock's alarm is on disk: the runtime keeps it in a file of its own, by the object's id. */
function isClockSet(data: string): boolean {
  const folder = join(data, "clock");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const [id] = files.flatMap((name) => (/^[0-9a-f]{64}\.sqlite$/.test(name) ? [name.slice(0, 64)] : []));
  const alarms = files.filter((name) => /^metadata\.sqlite(-wal)?$/.test(name));
  return id !== undefined && alarms.some((name) => readFileSync(join(folder, name)).includes(id));
}

// Catches a clock that only a request winds up. Where the kill comes after the first tick, it is a minute until the next.
test("the timer goes on after a kill, before anybody has come", async () => {
  const data = dataFolder();
  const first = await start(data);
  expect((await visit(`${first.url}/healthz`)).status).toBe(200);
  while (!isClockSet(data)) await new Promise((resolve) => setTimeout(resolve, 10)); // it is set behind the answer
  await first.stop("SIGKILL");
  const second = await start(data);
  for (const deadline = Date.now() + 5 * 60_000; !second.log.some((line) => line.includes('"ready"')); ) {
    expect(Date.now()).toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test("a body that is too large is refused in words, also where it is still on its way", async () => {
  const running = await start(dataFolder());
  const ada = await register(running, "ada@example.com");
  const answer = await ada.call("POST", "/api/entries", { filler: "x".repeat(3 * 1024 * 1024) });
  expect([answer.status, await answer.json()]).toEqual([413, { message: expect.stringContaining("too large") }]);
});

// Catches a body that is handed on to Remix, which makes an error of it: 500.
test("the body of a GET or a HEAD is ignored", async () => {
  const { port } = await start(dataFolder());
  expect(await answersToBodies(port)).toEqual(ANSWERS_WITHOUT);
});
