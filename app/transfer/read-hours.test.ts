import { expect, test } from "vitest";
import { decimalMarkOf, readHours } from "#app/transfer/read-hours.ts";

test.each([
  ["7.5", 7.5],
  ["7,5", 7.5],
  ["7:30", 7.5],
  ["07:30:00", 7.5],
  ["7h30", 7.5],
  ["7h30m", 7.5],
  ["7 h 30", 7.5],
  ["7h", 7],
  ["7.5 hrs", 7.5],
  ["8 hours", 8],
  ["0,25", 0.25],
  ["0,125", 0.125],
  [" 12 ", 12],
  ["1 234,5", 1234.5],
  ["1'234.5", 1234.5],
  ["1,234.5", 1234.5],
  ["1.234,5", 1234.5],
  ["1,234,567", 1234567],
  ["７.５", 7.5],
  ["7.123456", 7.123456],
  ["7 hrs 30 mins", 7.5],
  ["PT7H30M", 7.5],
  ["8 uur", 8],
  ["20 min", 1 / 3],
  ["450 min", 7.5],
])("%j is %d hours", (cell, hours) => {
  expect(readHours(cell, null)).toBe(hours);
});

test.each(["", "x", "=1+1", "7:75", "1:2:3:4", "NaN", "7.5.5", "1,2,3", "--", "7;5", "h", "8¹", "7⅓"])(
  "%j is no number of hours",
  (cell) => {
    expect(readHours(cell, null)).toBeNull();
  },
);

test("1,234 and 1.234 are read only if another cell of the column shows what the mark means", () => {
  expect(readHours("1,234", null)).toBeNull();
  expect(readHours("1.234", null)).toBeNull();
  expect(readHours("1.234", decimalMarkOf(["0.500"]))).toBe(1.234);
  expect(readHours("1,234", decimalMarkOf(["1,234,567"]))).toBe(1234);
  expect(readHours("1,234", decimalMarkOf(["7.5"]))).toBe(1234);
  expect(readHours("1,234", decimalMarkOf(["7,5"]))).toBe(1.234);
  expect(readHours("1.234", decimalMarkOf(["7,5"]))).toBe(1234);
  expect(readHours("1.234", decimalMarkOf(["8", "7.5"]))).toBe(1.234);
  expect(decimalMarkOf(["7,5", "7.5"])).toBeNull();
});

test("a negative number stays negative, so that the schema can refuse it", () => {
  expect(readHours("-7,5", null)).toBe(-7.5);
});

test("a million digits take no longer than they are long", () => {
  const started = performance.now();
  for (const cell of ["1".repeat(1e6), "1,".repeat(5e5), " ".repeat(1e6), "7h".repeat(5e5)]) readHours(cell, null);
  expect(performance.now() - started).toBeLessThan(2_000);
});
