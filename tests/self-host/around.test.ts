import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANSWERS_WITHOUT, answersToBodies } from "#tests/worker/safe-bodies.ts";
import { dataFolder, register, start, visit } from "./start.ts";

/** The answers to 31 made-up links, each opened by a client that claims another address. */
async function madeUpLinks(env: Record<string, string> = {}): Promise<number[]> {
  const running = await start(dataFolder(), { SESSION_SECRET: "a secret for tests, of 32 bytes and more", ...env });
  const statuses: number[] = [];
  for (let i = 1; i <= 31; i += 1) {
    const headers = { "CF-Connecting-IP": `203.0.113.${i}`, "X-Forwarded-For": `192.0.2.1, 198.51.100.${i}` };
    statuses.push((await visit(`${running.url}/api/verify/${crypto.randomUUID()}`, { headers })).status);
  }
  return statuses;
}

/** A network may open thirty in ten minutes. */
const THIRTY = Array(30).fill(404);

// Detects a front that passes on the address that a client claims: it would not be limited.
test("the client's address is that of the connection, whatever the client claims", async () => {
  expect(await madeUpLinks()).toEqual([...THIRTY, 429]);
});

test("behind a trusted proxy it is the address that the proxy sent", async () => {
  expect(await madeUpLinks({ TRUST_PROXY: "1" })).toEqual([...THIRTY, 404]);
});

/** Whether the clock's alarm is on disk: the runtime stores it in a file of its own, named after the object's id. */
function isClockSet(data: string): boolean {
  const folder = join(data, "clock");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const [id] = files.flatMap((name) => (/^[0-9a-f]{64}\.sqlite$/.test(name) ? [name.slice(0, 64)] : []));
  const alarms = files.filter((name) => /^metadata\.sqlite(-wal)?$/.test(name));
  return id !== undefined && alarms.some((name) => readFileSync(join(folder, name)).includes(id));
}

// Detects a clock that only a request starts. If the kill comes after the first tick, the next one is a minute later.
test("the timer continues after a kill, before any request", async () => {
  const data = dataFolder();
  const first = await start(data);
  expect((await visit(`${first.url}/healthz`)).status).toBe(200);
  while (!isClockSet(data)) await new Promise((resolve) => setTimeout(resolve, 10)); // it is stored after the answer
  await first.stop("SIGKILL");
  const second = await start(data);
  for (const deadline = Date.now() + 5 * 60_000; !second.log.some((line) => line.includes('"ready"')); ) {
    expect(Date.now()).toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test("a body that is too large is refused with a message, also while it is being sent", async () => {
  const running = await start(dataFolder());
  const ada = await register(running, "ada@example.com");
  const answer = await ada.call("POST", "/api/entries", { filler: "x".repeat(3 * 1024 * 1024) });
  expect([answer.status, await answer.json()]).toEqual([
    413,
    { code: "too_large", message: expect.stringContaining("too large") },
  ]);
});

// Detects a body that is passed on to Remix, which would answer 500.
test("the body of a GET or a HEAD is ignored", async () => {
  const { port } = await start(dataFolder());
  expect(await answersToBodies(port)).toEqual(ANSWERS_WITHOUT);
});
