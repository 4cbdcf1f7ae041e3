import { afterEach, expect, test, vi } from "vitest";
import { Health } from "./health.ts";

const START = new Date("2026-11-21T12:00:00Z");
afterEach(() => vi.useRealTimers());

test("a result is kept for ten seconds, and not longer when the clock is set back", async () => {
  vi.useFakeTimers({ now: START, toFake: ["Date"] });
  const health = new Health();
  let [writes, isWell] = [0, false];
  const ask = () =>
    health.isWell(async () => {
      writes += 1;
      return isWell;
    });
  expect([await ask(), writes]).toEqual([false, 1]);
  isWell = true;
  vi.setSystemTime(START.getTime() + 9_999);
  expect([await ask(), writes]).toEqual([false, 1]);
  vi.setSystemTime(START.getTime() - 86_400_000);
  expect([await ask(), writes]).toEqual([true, 2]);
});
