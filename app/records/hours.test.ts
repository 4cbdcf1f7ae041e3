import { expect, test } from "vitest";
import { formatHours, HOURS_MAX, parseHours, toHundredths, typedHours, typedNumber } from "./hours.ts";

test("numbers and numeric text are read as numbers", () => {
  expect(["7.5", " 7.5 ", "8", ".5", "5.", "+1", "-1", "007", "7.256"].map(parseHours)).toEqual([
    7.5, 7.5, 8, 0.5, 5, 1, -1, 7, 7.256,
  ]);
  expect([7.5, 0, -1, 1e-9, 1e308].map(parseHours)).toEqual([7.5, 0, -1, 1e-9, 1e308]);
});

// Detects Number(), which reads "", [], null and "0x10" as numbers.
test("a value that is not a number is null", () => {
  const none = [
    "",
    " ",
    "abc",
    "7,5",
    "7.5h",
    "NaN",
    "Infinity",
    "0x10",
    "1_000",
    "--1",
    ".",
    "e5",
    "1 2",
    "1e2",
    "1E-1",
  ];
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

test("hours are shown with one decimal, and with the second where it is not zero", () => {
  const shown = { 0: "0.0", 4: "0.04", 5: "0.05", 10: "0.1", 25: "0.25", 700: "7.0", 725: "7.25", 750: "7.5" };
  for (const [hundredths, text] of Object.entries(shown)) expect(formatHours(Number(hundredths))).toBe(text);
  expect(formatHours(HOURS_MAX * 100)).toBe("100000.0");
});

// Detects rounding: 7.3 + 7.3 would not be the 14.5 below them.
test("the printed hours add up", () => {
  const records = [725, 725, 10, 4];
  const sum = records.reduce((total, hundredths) => total + toHundredths(Number(formatHours(hundredths))), 0);
  expect(formatHours(sum)).toBe(formatHours(725 + 725 + 10 + 4));
});

test("a number typed in a form may have a decimal comma", () => {
  const typed = {
    "7,5": "7.5",
    " 7.25 ": "7.25",
    "7": "7",
    "1500": "1500",
    "1 200,5": "1200.5",
    "1\u202f500": "1500",
    ",5": ".5",
    "8,": "8.",
    "-1": "-1",
    "７，５": "7.5",
    "7.5 h": "7.5",
    "7,5h": "7.5",
    "1 500 H": "1500",
  };
  for (const [text, number] of Object.entries(typed)) expect([text, typedHours(text)]).toEqual([text, number]);
  // A score or a figure in days has no such unit.
  for (const text of ["7.5 h", "400h"]) expect([text, typedNumber(text)]).toEqual([text, null]);
});

test.each([
  ["7:30", "7.5"],
  ["7:30 h", "7.5"],
  ["07:30:00", "7.5"],
  ["24:30", "24.5"],
  ["0:00", "0"],
  ["7h30", "7.5"],
  ["7h30m", "7.5"],
  ["7 h 30 min", "7.5"],
  ["7h 5m", "7.08"],
  ["7 hrs 30 mins", "7.5"],
  ["7 hours, 30 minutes", "7.5"],
  ["7½", "7.5"],
  ["7 ½ h", "7.5"],
  ["½", "0.5"],
  ["PT7H30M", "7.5"],
  ["PT7H", "7"],
  ["PT45M", "0.75"],
  ["PT7H30M15S", "7.5"],
  ["20 min", "0.33"],
  ["450 minutes", "7.5"],
  ["18:25 min", "0.31"],
  ["1:05:20", "1.09"],
  ["8 hours", "8"],
  ["8 uur", "8"],
  ["8,5 Stunden", "8.5"],
  ["8 Std.", "8"],
  ["8 heures", "8"],
  ["8 horas", "8"],
  ["8 ore", "8"],
  ["8 timer", "8"],
  ["8 timmar", "8"],
  ["8 godz.", "8"],
  ["8 godzin", "8"],
  ["８：３０", "8.5"],
])("hours are read as people write them: %s is %s", (text, number) => {
  expect(typedHours(text)).toBe(number);
});

test("a typed text that may mean two numbers is refused, and one without a digit is no number", () => {
  for (const text of [
    "1,500",
    "1.000,5",
    "1.000",
    "7:75",
    "7:3",
    "7h3",
    "1:2:3:4",
    "8¹",
    "8₁",
    "7⅓",
    "7.30:00",
    "7 h h",
    "1,500 h",
    "7,5,1",
    "1 50",
    "+ 500",
    "1 2",
    "1e2",
    "7,555",
    "0x10",
    "5 Tage",
  ]) {
    expect([text, typedHours(text)]).toEqual([text, null]);
  }
  for (const text of ["", "  ", "abc", ",", "-"]) expect(parseHours(typedHours(text))).toBeNull();
});

// A regular expression with two ways to match a digit takes minutes for this.
test("a typed text of a million digits is read at once", () => {
  for (const text of [`${"1".repeat(1_000_000)}x`, `x${" ".repeat(1_000_000)}h`]) expect(typedHours(text)).toBeNull();
});
