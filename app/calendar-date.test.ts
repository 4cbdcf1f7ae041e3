import { expect, test } from "vitest";
import { formatDate, formatInstant, isCalendarDate, shortDay, toCalendarDate, wordsBefore } from "./calendar-date.ts";

test("a calendar date is a day that exists", () => {
  for (const date of ["2026-11-21", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"]) {
    expect([date, isCalendarDate(date)]).toEqual([date, true]);
  }
  // Catches `new Date(text)` alone, which moves 30 February to March.
  for (const date of [
    "2026-02-30",
    "2025-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
  ]) {
    expect([date, isCalendarDate(date)]).toEqual([date, false]);
  }
});

test("a calendar date has one spelling", () => {
  for (const text of ["", "2026-1-1", "21.11.2026", "2026/11/21", "20261121", " 2026-11-21", "2026-11-21T00:00:00Z"]) {
    expect([text, isCalendarDate(text)]).toEqual([text, false]);
  }
  for (const text of ["+02026-11-21", "12026-11-21", "２０２６-11-21", "2026-11-21\n"]) {
    expect([text, isCalendarDate(text)]).toEqual([text, false]);
  }
});

test("a date is shown with day, month and year", () => {
  expect(["2026-11-21", "2024-02-09", "9999-12-31"].map(formatDate)).toEqual([
    "21 Nov 2026",
    "9 Feb 2024",
    "31 Dec 9999",
  ]);
});

test("a day beside a later one leaves out what both have: the month and year, or the year", () => {
  const before = (date: string) => shortDay(date, wordsBefore(date, "2026-11-27"));
  expect(["2026-11-20", "2026-10-30", "2025-11-20"].map(before)).toEqual(["Fri 20", "Fri 30 Oct", "Thu 20 Nov 2025"]);
});

test("today is the current day in the user's time zone", () => {
  const newYear = new Date("2026-12-31T23:30:00Z");
  expect(toCalendarDate("UTC", newYear)).toBe("2026-12-31");
  expect(toCalendarDate("Europe/Oslo", newYear)).toBe("2027-01-01");
  expect(toCalendarDate("America/Los_Angeles", newYear)).toBe("2026-12-31");
  expect(toCalendarDate("Pacific/Kiritimati", new Date("2026-11-20T10:00:00Z"))).toBe("2026-11-21");
});

test("an unknown time zone counts as UTC", () => {
  expect(toCalendarDate("Mars/Olympus", new Date("2026-11-21T23:30:00Z"))).toBe("2026-11-21");
  expect(formatInstant("Mars/Olympus", new Date("2026-11-21T23:30:00Z"))).toBe("21 Nov 2026, 23:30 UTC");
});

// UTC stands for a zone that is not known.
test("an instant is shown in the user's time zone, also across midnight, and names UTC", () => {
  expect(formatInstant("Europe/Oslo", new Date("2026-07-01T22:05:00Z"))).toBe("2 Jul 2026, 00:05");
  expect(formatInstant("UTC", new Date("2026-07-01T00:00:00Z"))).toBe("1 Jul 2026, 00:00 UTC");
});

test("an instant that is none is an error in every time zone, not an endless search for one", () => {
  for (const zone of ["UTC", "Europe/Oslo", "No/Where"]) {
    expect(() => formatInstant(zone, new Date(Number.NaN))).toThrow("Invalid time value");
  }
});
