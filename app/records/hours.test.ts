import { expect, test } from "vitest";
import { formatHours, HOURS_MAX, parseHours, toHundredths } from "./hours.ts";

test("numbers and numeric text are read as numbers", () => {
  expect(["7.5", " 7.5 ", "8", ".5", "5.", "+1", "-1", "1e2", "1E-1", "007"].map(parseHours)).toEqual([
    7.5, 7.5, 8, 0.5, 5, 1, -1, 100, 0.1, 7,
  ]);
  expect([7.5, 0, -1, 1e308].map(parseHours)).toEqual([7.5, 0, -1, 1e308]);
});

// Detects Number(), which reads "", [], null and "0x10" as numbers.
test("a value that is not a number is null", () => {
  const none = ["", " ", "abc", "7,5", "7.5h", "NaN", "Infinity", "0x10", "1_000", "--1", ".", "e5", "1 2"];
  for (const value of [...none, NaN, Infinity, null, undefined, true, false, [], [7], {}, 7n, new Date(0)]) {
    expect([value, parseHours(value)]).toEqual([value, null]);
  }
});

test("hundredths are integers, so their sum is exact", () => {
  expect([0.1, 0.29, 7.25, 1.005, 4.35, 100_000].map(toHundredths)).toEqual([10, 29, 725, 100, 435, 10_000_000]);
  const sum = [0.1, 0.2].reduce((total, hours) => total + toHundredths(hours), 0);
  expect(sum / 100).toBe(0.3);
  for (let hundredths = 10; hundredths <= 2500; hundredths += 1) {
    expect(toHundredths(hundredths / 100)).toBe(hundredths);
  }
});

test("hours are shown with one decimal, rounded half up", () => {
  expect([0, 4, 5, 10, 14, 15, 25, 725, 735, 2400, HOURS_MAX * 100].map(formatHours)).toEqual([
    "0.0",
    "0.0",
    "0.1",
    "0.1",
    "0.1",
    "0.2",
    "0.3",
    "7.3",
    "7.4",
    "24.0",
    "100000.0",
  ]);
});

// Detects a total of rounded hours: 3 × 0.25 would show 0.9.
test("a sum is rounded once, when it is shown", () => {
  expect(formatHours(3 * 25)).toBe("0.8");
});
