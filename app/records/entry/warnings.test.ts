import { expect, test } from "vitest";
import type { Entry } from "./entry.table.ts";
import { warningsFor } from "./warnings.ts";

const TODAY = "2026-11-21";

function entriesOn(...dates: string[]): Entry[] {
  return dates.map((date, index) => ({
    id: index + 1,
    userId: 1,
    date,
    location: "Mongstad",
    method: "MT",
    hours: 8,
    verified: false,
    verifiedBy: null,
    verifiedAt: null,
    createdAt: new Date(0),
  }));
}

test("an ordinary save says nothing", () => {
  expect(warningsFor({ entries: entriesOn(TODAY, "2026-11-20"), longDays: [] }, TODAY)).toEqual([]);
});

test("a day of more than 24 hours is worth a second look, with what it adds up to", () => {
  const warnings = warningsFor({ entries: [], longDays: [{ date: TODAY, hundredths: 2450 }] }, TODAY);
  expect(warnings).toEqual(["21 Nov 2026 now adds up to 24.5 hours, which is more than a day has."]);
});

test("a date after the person's today is in the future, and is named once", () => {
  const saved = { entries: entriesOn("2026-11-22", "2026-11-22", TODAY), longDays: [] };
  expect(warningsFor(saved, TODAY)).toEqual(["22 Nov 2026 is in the future."]);
  expect(warningsFor(saved, "2026-11-22")).toEqual([]);
});

test("three of each kind are named: they travel in a cookie", () => {
  const days = Array.from({ length: 9 }, (_, index) => `2027-01-0${index + 1}`);
  const longDays = days.map((date) => ({ date, hundredths: 2500 }));
  expect(warningsFor({ entries: entriesOn(...days), longDays }, TODAY)).toHaveLength(6);
});
