import { expect, test } from "vitest";
import { fullness, isBackupLate, isTimerLate } from "./system.server.ts";

const GB = 1_000_000_000;

test.each([
  [7.99, 79, 0],
  [8, 80, 80],
  [8.999, 89, 80],
  [9, 90, 90],
  [9.999, 99, 90],
  [10, 100, 100],
  [11, 110, 100],
])("a database of %s GB is %s %% full, and marked at %s", (size, percent, level) => {
  expect(fullness({ bytes: size * GB, limit: 10 * GB })).toEqual({ percent, level });
});

const now = new Date("2026-11-23T06:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test("the timer is late after five minutes without a run, and before its first", () => {
  expect([null, ago(6), ago(5), ago(0)].map((lastRun) => isTimerLate({ lastRun }, now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("backups are late when the newest is older than 30 hours, but not where Time Travel keeps every minute", () => {
  const one = (minutes: number) => ({ place: "folder", at: ago(minutes), encrypted: false, bytes: 1 }) as const;
  expect(isBackupLate([], now)).toBe(true);
  expect(isBackupLate([one(31 * 60), one(55 * 60)], now)).toBe(true);
  expect(isBackupLate([one(55 * 60), one(29 * 60)], now)).toBe(false);
  expect(isBackupLate([{ place: "time_travel", at: null, encrypted: null, bytes: null }], now)).toBe(false);
});
