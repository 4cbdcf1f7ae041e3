import { afterEach, expect, test, vi } from "vitest";
import { Health } from "./health.ts";

const START = new Date("2026-11-21T12:00:00Z");
afterEach(() => vi.useRealTimers());

test("a result is kept for ten seconds, and not longer when the clock is set back", async () => {
  vi.useFakeTimers({ now: START, toFake: ["Date"] });
  const health = new Health();
  let [writes, isHealthy] = [0, false];
  const ask = () =>
    health.isHealthy(async () => {
      writes += 1;
      return isHealthy;
    });
  expect([await ask(), writes]).toEqual([false, 1]);
  isHealthy = true;
  vi.setSystemTime(START.getTime() + 9_999);
  expect([await ask(), writes]).toEqual([false, 1]);
  vi.setSystemTime(START.getTime() - 86_400_000);
  expect([await ask(), writes]).toEqual([true, 2]);
});
