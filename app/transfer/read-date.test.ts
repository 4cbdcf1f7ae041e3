import { expect, test } from "vitest";
import { orderOf, readDate } from "./read-date.ts";

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

test("a day greater than 12 tells the order of the whole column", () => {
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
