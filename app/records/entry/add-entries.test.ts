import { expect, test } from "vitest";
import { warningsFor } from "./add-entries.server.ts";
import type { Entry } from "./entry.kind.ts";

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
    verifiedVia: null,
    confirmedAt: null,
    broughtForward: false,
    status: "pending" as const,
    details: {},
    createdAt: new Date(0),
  }));
}

test("an ordinary save has no warnings", () => {
  expect(warningsFor({ entries: entriesOn(TODAY, "2026-11-20"), longDays: [] }, TODAY)).toEqual([]);
});

test("a day of more than 24 hours has a warning with its total", () => {
  const warnings = warningsFor({ entries: [], longDays: [{ date: TODAY, hundredths: 2450 }] }, TODAY);
  const text = "21 Nov 2026 now has 24.5 hours. Is that right?";
  expect(warnings).toEqual([{ text, href: "/profile?from=2026-11-21&to=2026-11-21#log", link: "See that day" }]);
});

test("a date after the user's current date has one warning", () => {
  const saved = { entries: entriesOn("2026-11-22", "2026-11-22", TODAY), longDays: [] };
  expect(warningsFor(saved, TODAY)).toEqual([
    { text: "22 Nov 2026 is in the future.", href: "/profile/record/2", link: "See the record" },
  ]);
  expect(warningsFor(saved, "2026-11-22")).toEqual([]);
});

test("a date of more than 10 years ago has one warning: the year may be a slip", () => {
  const saved = { entries: entriesOn("1926-11-20", "2016-11-20", "2016-11-21"), longDays: [] };
  expect(warningsFor(saved, TODAY).map(({ text }) => text)).toEqual([
    "20 Nov 1926 is more than 10 years ago.",
    "20 Nov 2016 is more than 10 years ago.",
  ]);
  const broughtForward = saved.entries.map((entry) => ({ ...entry, broughtForward: true }));
  expect(warningsFor({ ...saved, entries: broughtForward }, TODAY)).toEqual([]);
});

test("at most three dates per warning are listed, because they are stored in a cookie", () => {
  const days = Array.from({ length: 9 }, (_, index) => `2027-01-0${index + 1}`);
  const longDays = days.map((date) => ({ date, hundredths: 2500 }));
  expect(warningsFor({ entries: entriesOn(...days), longDays }, TODAY)).toHaveLength(6);
});
