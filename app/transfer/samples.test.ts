import { expect, test } from "vitest";
import { importFixture } from "#tests/worker/imports.ts";
import { decodeText } from "./decode.ts";
import { readImport } from "./preview.ts";

const read = (name: string, kind = "entry") => readImport(kind, decodeText(importFixture(name)));
const valuesOf = (name: string, kind?: string) => read(name, kind).records.map(({ values }) => values);

test("a spreadsheet's export is read in the United States, in Germany and in Japan", () => {
  expect(valuesOf("spreadsheet-us.csv")).toMatchObject([
    { date: "2026-11-20", location: "Houston, TX", method: "MT", hours: 7.5 },
    { date: "2026-11-21", location: "Deer Park", method: "UT_THK", hours: 1000.25 },
  ]);
  expect(valuesOf("spreadsheet-de.csv")).toMatchObject([
    { date: "2026-11-20", location: "Köln", method: "MT", hours: 7.5 },
    { date: "2026-11-21", location: "Lützow", method: "UT_THK", hours: 1000.25 },
  ]);
  expect(valuesOf("spreadsheet-jp.txt")).toMatchObject([
    { date: "2026-11-20", location: "川崎", method: "MT", hours: 7.5 },
    { date: "2026-11-21", location: "千葉", method: "UT_THK", hours: 1000.25 },
  ]);
});

test("the form's wide layout gives an entry for each method; its totals are no row of work", () => {
  expect(valuesOf("form-wide.csv")).toMatchObject([
    { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 4 },
    { date: "2026-11-20", location: "Mongstad", method: "PT", hours: 3.5 },
    { date: "2026-11-21", location: "Kårstø unit 3", method: "UT_THK", hours: 8 },
  ]);
  const { problems, totals, stated } = read("form-wide.csv");
  expect({ problems, totals: totals.map(({ number }) => number), stated }).toEqual({
    problems: [],
    totals: [7],
    stated: 1_550,
  });
});

test("another app's file is read by its known columns; the others are ignored", () => {
  const { choice, problems } = read("other-app.csv");
  expect(choice.mapping).toEqual([null, null, "date", null, "location", "method", "hours", "note"]);
  expect(problems).toEqual([]);
  expect(valuesOf("other-app.csv")).toMatchObject([
    { date: "2026-11-21", location: "Sture", method: "MT", hours: 7.5, details: { note: 'night, "cold" shift' } },
    { date: "2026-11-22", location: "Sture", method: "PT", hours: 8 },
  ]);
});

test("a logbook of rope hours keeps the lines of its skills", () => {
  expect(valuesOf("rope-logbook.csv", "rope_hour")).toMatchObject([
    {
      startDate: "2026-11-16",
      endDate: "2026-11-20",
      location: "Troll A",
      skills: "Rigging\nrescue drill",
      hours: 38.5,
    },
  ]);
});
