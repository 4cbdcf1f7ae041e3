import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryLimiter } from "./memory-limiter.ts";
import { RATE_LIMIT_REQUESTS, RATE_LIMIT_SECONDS } from "./request-limit.server.ts";

/*
 * The in-memory rate limiter. Catches keys that are never dropped, and a clock that is set back and locks a network
 * out.
 */

const START = new Date("2026-11-21T12:00:00Z");
afterEach(() => vi.useRealTimers());

function limiterAt(start: Date, max = 3): { limiter: MemoryLimiter; ask(key: string): Promise<boolean> } {
  vi.useFakeTimers({ now: start, toFake: ["Date"] });
  const limiter = new MemoryLimiter(max, 60);
  return { limiter, ask: async (key) => (await limiter.limit({ key })).success };
}

test("each network has its own number of requests a minute, and a new minute starts at zero", async () => {
  const { ask } = limiterAt(START);
  expect([await ask("a"), await ask("a"), await ask("a"), await ask("a")]).toEqual([true, true, true, false]);
  expect(await ask("b")).toBe(true);
  vi.setSystemTime(START.getTime() + 59_999);
  expect(await ask("a")).toBe(false);
  vi.setSystemTime(START.getTime() + 60_000);
  expect(await ask("a")).toBe(true);
});

test("after the clock is set back or forward a network is accepted at once", async () => {
  for (const jump of [-86_400_000, 86_400_000]) {
    const { ask } = limiterAt(START, 1);
    expect([await ask("a"), await ask("a")]).toEqual([true, false]);
    vi.setSystemTime(START.getTime() + jump);
    expect([await ask("a"), await ask("a")]).toEqual([true, false]);
  }
});

test("a thousand networks are counted separately, and a hundred thousand do not exceed the limit on keys", async () => {
  const { limiter, ask } = limiterAt(START, 1);
  const networks = Array.from({ length: 1_000 }, (_, number) => `2001:db8:0:${number.toString(16)}::/64`);
  for (const network of networks) expect(await ask(network)).toBe(true);
  for (const network of networks) expect(await ask(network)).toBe(false);
  for (let number = 0; number < 100_000; number += 1) await ask(`network ${number}`);
  expect(limiter.size).toBeLessThanOrEqual(10_000);
});

test("a network that keeps sending requests stays counted among many others", async () => {
  const { ask } = limiterAt(START, 1);
  await ask("busy");
  for (let number = 0; number < 50_000; number += 1) {
    await ask(`other ${number}`);
    if (number % 5_000 === 0) expect(await ask("busy")).toBe(false);
  }
  expect(await ask("busy")).toBe(false);
});

test("the limits equal those of Cloudflare's binding in wrangler.toml", () => {
  const simple = /simple = \{ limit = (\d+), period = (\d+) \}/.exec(readFileSync("wrangler.toml", "utf8"));
  expect(simple?.slice(1).map(Number)).toEqual([RATE_LIMIT_REQUESTS, RATE_LIMIT_SECONDS]);
});
