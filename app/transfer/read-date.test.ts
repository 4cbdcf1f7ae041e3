import { expect, test } from "vitest";
import { orderOf, readDate, readDays } from "./read-date.ts";

test.each([
  "2026-11-21",
  "2026/11/21",
  "2026.11.21",
  "2026. 11. 21.",
  "20261121",
  "2026年11月21日",
  "2026-11-21T00:00:00Z",
  "2026-11-21 07:30",
  "21 Nov 2026",
  "21-Nov-26",
  "21. November 2026",
  "Nov 21, 2026",
  "November 21st 2026".replace("st", ""),
  "Sat 21 Nov 2026",
  "samedi 21 novembre 2026",
  "21 de noviembre de 2026",
  "21 listopada 2026",
  "21 lis 2026",
  "sobota, 21 listopada 2026 r.",
  "21 nov. 2026",
  "２０２６-１１-２１",
])("%s is 21 November 2026 in any order", (cell) => {
  for (const order of ["ymd", "dmy", "mdy"] as const) expect(readDate(cell, order)).toBe("2026-11-21");
});

test.each([
  ["03/04/2026", "dmy", "2026-04-03"],
  ["03/04/2026", "mdy", "2026-03-04"],
  ["3.4.26", "dmy", "2026-04-03"],
  ["3-4-98", "mdy", "1998-03-04"],
  ["26/04/03", "ymd", "2026-04-03"],
  ["11/21/2026 12:00:00 AM", "mdy", "2026-11-21"],
  ["Sat 21/11/2026", "dmy", "2026-11-21"],
  ["1. März 2026", "dmy", "2026-03-01"],
  ["1 août 2026", "dmy", "2026-08-01"],
  ["1 października 2026", "dmy", "2026-10-01"],
  ["3-maj-26", "dmy", "2026-05-03"],
] as const)("%s in the order %s is %s", (cell, order, date) => {
  expect(readDate(cell, order)).toBe(date);
});

test.each([
  "",
  "yesterday",
  "46347",
  "2026-02-30",
  "31/31/2026",
  "2026-11",
  "1/2",
  "1/2/3/4",
  "21 Nov",
  "Nov 2026",
  "2026-11-21x",
  "11/21/026",
  "=TODAY()",
  "9".repeat(100_000),
])("%j is no date", (cell) => {
  for (const order of ["ymd", "dmy", "mdy"] as const) expect(readDate(cell, order)).toBeNull();
});

test("a day greater than 12 shows the order of the whole column", () => {
  expect(orderOf(["03/04/2026", "21/11/2026"])).toEqual({ order: "dmy", ambiguous: null });
  expect(orderOf(["03/04/2026", "11/21/2026"])).toEqual({ order: "mdy", ambiguous: null });
  expect(orderOf(["2026-04-03", "3 Apr 2026"])).toEqual({ order: "ymd", ambiguous: null });
});

test("dates that can be read in two ways are ambiguous, and so are dates of both orders", () => {
  expect(orderOf(["2026-04-03", "03/03/2026", "03/04/2026"])).toEqual({ order: null, ambiguous: "03/04/2026" });
  expect(orderOf(["21/11/2026", "11/22/2026"])).toEqual({ order: null, ambiguous: "11/22/2026" });
});

test("where dates have points, the day comes first, unless another date of the column says otherwise", () => {
  expect(orderOf(["03.09.2026", "4. 9. 26"])).toEqual({ order: "dmy", ambiguous: null });
  expect(orderOf(["03.09.2026", "09.22.2026"])).toEqual({ order: "mdy", ambiguous: null });
  expect(orderOf(["03.09.2026", "03-09-2026"])).toEqual({ order: null, ambiguous: "03-09-2026" });
});

test("a day that has the number of its month is not ambiguous", () => {
  expect(orderOf(["03/03/2026", ""])).toEqual({ order: "dmy", ambiguous: null });
});

test.each([
  ["mar. 24 nov. 2026", "2026-11-24"],
  ["mer. 25 nov. 2026", "2026-11-25"],
  ["Mar 24 2026", "2026-03-24"],
  ["Tuesday, 24 November 2026", "2026-11-24"],
  ["Tues 24 Nov 2026", "2026-11-24"],
  ["15. Mrz 2026", "2026-03-15"],
  ["16.Mrz.26", "2026-03-16"],
  ["\u200e20\u200e/\u200e11\u200e/\u200e2026", "2026-11-20"],
  ["20\u201111\u20112026", "2026-11-20"],
  ["20/11/2026\u200b", "2026-11-20"],
  ["2026/11/21(土)", "2026-11-21"],
  ["2026年11月21日 土曜日", "2026-11-21"],
  ["20.11.2026 Fr", "2026-11-20"],
  ["20 พ.ย. 2569", "2026-11-20"],
  ["21 พฤศจิกายน 2026", "2026-11-21"],
  ["15 มีค 2569", "2026-03-15"],
  ["15 มี.ค. 2569", "2026-03-15"],
  ["15 ม.ค. 2569", "2026-01-15"],
  ["15 มิ.ย. 2569", "2026-06-15"],
  ["20/11/2569", "2026-11-20"],
  ["20/11/2026¹", "2026-11-20"],
])("%s is one day: %s", (cell, day) => {
  expect(readDays(cell, "dmy")).toMatchObject({ from: day, to: day });
});

test("a value that is not read literally has a note: a year of the Buddhist calendar, the sign of a footnote", () => {
  expect(readDays("20/11/2569", "dmy")).toMatchObject({ said: "a year of the Buddhist calendar" });
  expect(readDays("20/11/2026*", "dmy")).toMatchObject({ said: "without the sign of a footnote" });
  expect(readDays("20/11/2026", "dmy")).toMatchObject({ said: null });
});

test("a day of the week that is not the date's is a problem", () => {
  expect(readDays("Mon 24 Nov 2026", "dmy")).toEqual({
    problem: "is a Tuesday. Correct the day of the week or the date.",
  });
});

test.each([
  ["16-20 Nov 2026", "2026-11-16", "2026-11-20"],
  ["16 – 20 Nov 2026", "2026-11-16", "2026-11-20"],
  ["Nov 23-27, 2026", "2026-11-23", "2026-11-27"],
  ["16 Nov - 20 Nov 2026", "2026-11-16", "2026-11-20"],
  ["28 Dec - 2 Jan 2026", "2025-12-28", "2026-01-02"],
  ["28 Dec 2025 to 2 Jan 2026", "2025-12-28", "2026-01-02"],
  ["16.-20.11.2026", "2026-11-16", "2026-11-20"],
  ["16.11. - 20.11.2026", "2026-11-16", "2026-11-20"],
  ["23/11/2026 - 27/11/2026", "2026-11-23", "2026-11-27"],
  ["2026-11-16/2026-11-20", "2026-11-16", "2026-11-20"],
  ["2026-11-16 – 2026-11-20", "2026-11-16", "2026-11-20"],
])("%s is a period", (cell, from, to) => {
  expect(readDays(cell, "dmy")).toMatchObject({ from, to });
  expect(readDate(cell, "dmy")).toBeNull();
});

test.each(["16-20 Nov", "Nov 23-27", "16 Nov - 20 Nov", "16 Nov - 20"])(
  "%s is a period without a year, never one of 2020",
  (cell) => {
    for (const order of ["ymd", "dmy", "mdy"] as const) {
      expect(readDate(cell, order)).toBeNull();
      expect(readDays(cell, order)).toHaveProperty("problem");
    }
  },
);

test("the ends of periods show the order of a column, too", () => {
  expect(orderOf(["23/11/2026 - 27/11/2026"])).toEqual({ order: "dmy", ambiguous: null });
  expect(orderOf(["03/04/2026 - 05/04/2026"]).ambiguous).toBe("03/04/2026 - 05/04/2026");
});

test("two digits that may be a year are ambiguous, unless they change more often than the last ones", () => {
  expect(orderOf(["26-11-20", "26-11-21"])).toEqual({ order: null, ambiguous: "26-11-21" });
  expect(orderOf(["20/11/26", "21/11/26"])).toEqual({ order: "dmy", ambiguous: null });
});
