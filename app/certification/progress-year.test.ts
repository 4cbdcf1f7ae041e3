import { expect, test } from "vitest";
import { recordsLinks, yearFrom, yearsOf } from "#app/certification/progress-links.ts";
import { daysIn } from "./year-rows.ts";

const year = (query: string, today = "2026-11-22") => yearFrom(new URL(`http://localhost/progress${query}`), today);

test("the year is the URL's, or that of the technician's date", () => {
  expect(year("")).toBe(2026);
  expect(year("?year=2019")).toBe(2019);
  expect(year("", "2027-01-01")).toBe(2027);
  expect(year("", "2026-12-31")).toBe(2026);
});

test("a year that no page shows is ignored, and of a repeated one the first counts", () => {
  for (const bad of [
    "",
    "x",
    "99999999999999999999",
    "-1",
    "0000",
    "0999",
    "9999",
    "2026.5",
    " 2019",
    "1e3",
    "２０１９",
  ]) {
    expect([bad, year(`?year=${encodeURIComponent(bad)}`)]).toEqual([bad, 2026]);
  }
  expect(year("?year=2019&year=2020")).toBe(2019);
});

test("the years of links are those that have records, without years that no page shows", () => {
  const sums = [["2026-01", "2024-12", "0001-01"], ["2024"], ["9999-12"]].map((months) => ({ months }));
  expect(yearsOf(sums)).toEqual([2024, 2026]);
});

// Catches the links of an item of the last years that show records of all years.
test("the links of an item of the last years lead to those years, and to the days before them", () => {
  const [item, today] = [{ kind: "entry", methods: ["MT"] as const, withinYears: 5 }, "2024-02-29"];
  const dates = (since: string | null, reason?: "too_old" | "before_since" | "other_level") => {
    const [link] = recordsLinks({ ...item, since, today, ...(reason && { reason }) });
    const { searchParams } = new URL(link?.href ?? "", "http://localhost");
    return [searchParams.get("from"), searchParams.get("to")];
  };
  expect(dates(null)).toEqual(["2019-03-01", null]);
  expect(dates(null, "too_old")).toEqual([null, "2019-02-28"]);
  expect(dates(null, "other_level")).toEqual(["2019-03-01", today]);
  expect(dates("2018-01-01")).toEqual(["2019-03-01", null]);
  expect(dates("2018-01-01", "too_old")).toEqual(["2018-01-01", "2019-02-28"]);
  expect(dates("2018-01-01", "before_since")).toEqual([null, "2017-12-31"]);
  expect(dates("2020-01-01")).toEqual(["2020-01-01", null]);
});

test("a month has the days of the calendar", () => {
  expect(["2024-02", "2026-02", "1900-02", "2000-02", "2026-04", "2026-12"].map(daysIn)).toEqual([
    ...[29, 28, 28, 29, 30, 31],
  ]);
});
