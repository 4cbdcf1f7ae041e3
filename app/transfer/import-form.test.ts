import { expect, test } from "vitest";
import { changeFrom } from "./import-form.ts";
import type { ImportView } from "./import-view.server.ts";

const VIEW: ImportView = {
  ...{
    id: 1,
    kind: "entry",
    encoding: "utf-8",
    sheet: null,
    sheets: [],
    columns: ["Date", "Place"],
    mapping: ["date", "location"],
    dateOrder: "dmy",
    ambiguous: null,
    hoursUnit: "hours",
    hoursPerDay: null,
    timeZone: "asWritten",
  },
  rows: [],
  errors: [],
  notes: [],
  duplicates: [2, 4],
  possibleTotals: [],
  skip: [2, 4],
  count: 5,
  ready: 3,
  values: { method: {} },
  unknown: { method: [] },
  people: [],
  person: null,
  sums: { total: 0, method: {}, stated: null },
};
const COLUMNS = [{ target: "date" }, { target: "location" }];

/** The form with the boxes of these rows checked. */
function change(first: string | undefined, second: string | undefined, view = VIEW) {
  const [one, other] = COLUMNS;
  return changeFrom(view, {
    choices: [
      { ...one, skip: first },
      { ...other, skip: second },
    ],
    dateOrder: "dmy",
  });
}

test("a preview sent again with every box checked skips all duplicates, those of later too", () => {
  expect(change("2", "4")).toEqual({ skip: null });
  expect(change(undefined, undefined, { ...VIEW, duplicates: [], skip: [] })).toEqual({ skip: null });
});

test("other columns keep the order of dates a guess that the new columns can change, unless it was chosen", () => {
  const swapped = { choices: [{ target: "location" }, { target: "date" }], dateOrder: "dmy" as const };
  expect(changeFrom(VIEW, swapped)).toEqual({ mapping: ["location", "date"], keep: [2, 4] });
  expect(changeFrom(VIEW, { ...swapped, dateOrder: "mdy" })).toEqual({
    mapping: ["location", "date"],
    dateOrder: "mdy",
    keep: [2, 4],
  });
});

test("words are mapped to one method or two, only those that the page lists, and the boxes that stay checked skip rows", () => {
  const word = (word: string) => ({ word, rows: 1 });
  const unknown = { method: [word("UT"), word("MT/PT"), word("__proto__"), word("old")] };
  const view: ImportView = { ...VIEW, unknown, values: { method: { old: "ET" } } };
  const choices = [
    { target: "date", skip: "2", word: "UT", one: "UTSW", two: "" },
    { target: "location", word: "MT/PT", one: "MT", two: "PT" },
    { word: "__proto__", one: "RT", two: "RT" },
    { word: "old", one: "", two: "" },
    { word: "not on the page", one: "MT" },
  ];
  const { methods, keep } = changeFrom(view, { choices, dateOrder: "dmy" });
  expect(Object.entries(methods ?? {})).toEqual([
    ["ut", "UTSW"],
    ["mt/pt", ["MT", "PT"]],
    ["__proto__", "RT"],
  ]);
  expect(keep).toEqual([4]);
});

test("a duplicate whose box is cleared is imported, and a row that was skipped besides stays skipped", () => {
  expect(change(undefined, "4")).toEqual({ skip: [4] });
  expect(change("2", undefined, { ...VIEW, skip: [2, 4, 5] })).toEqual({ skip: [2, 5] });
});

test("one box skips or imports all duplicates after the 100 that have a box each", () => {
  const duplicates = Array.from({ length: 103 }, (_, index) => index + 2);
  const view = { ...VIEW, duplicates, skip: duplicates };
  const listed = duplicates.slice(0, 100);
  const send = (skipOthers: string | undefined, skip = duplicates) => {
    const choices = listed.map((row, index) => ({ ...COLUMNS[index], skip: String(row) }));
    return changeFrom({ ...view, skip }, { choices, dateOrder: "dmy", skipOthers });
  };
  expect(send("on")).toEqual({ skip: null });
  expect(send(undefined)).toEqual({ skip: listed });
  expect(send("on", listed)).toEqual({ skip: null });
  expect(send("on", [...listed, 103])).toEqual({ skip: [...listed, 103] });
});
