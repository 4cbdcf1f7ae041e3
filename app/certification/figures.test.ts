import { expect, test } from "vitest";
import { endText, figuresOf, withoutFigures } from "./figures.ts";
import type { ItemProgress, Part, PartState } from "./progress.ts";

const TODAY = "2026-11-27";

const item = (over: Partial<ItemProgress>): ItemProgress => ({
  ...{ title: "UT experience", clause: "", unit: "hours", kind: "entry", methods: ["UT"], required: 63_000 },
  ...{ category: null, part: null, level: null, withinYears: null, workedAs: null, standard: null },
  ...{ verified: 0, waiting: 0, requested: 0, endsOn: null, toAsk: { records: 0, hundredths: 0 } },
  ...{ remaining: 0, estimate: null, notCounted: [] },
  ...over,
});
const entry = (verified: number, waiting = 0, required = 63_000) => item({ required, verified, waiting });
const certificate = (over: Partial<ItemProgress>) => item({ kind: "certificate", methods: [], required: 100, ...over });
const exam = (verified: number, waiting = 0) => certificate({ unit: "score", required: 7_000, verified, waiting });
const average = (verified: number) => certificate({ unit: "average", required: 8_000, verified });
const test1 = (over: Partial<ItemProgress>) => certificate({ unit: "valid", category: "near_vision", ...over });
const held = (over: Partial<ItemProgress>) =>
  certificate({ unit: "valid", category: "certificate", title: "Level 1 certificate", ...over });
const since = (months: number) => certificate({ unit: "elapsedMonths", required: 1_200, verified: 100 * months });

const shown = (part: Part, items: ItemProgress[], state: PartState = "missing") =>
  figuresOf({ parts: [{ part, state, endsOn: null }], items } as never, TODAY).map(
    ({ name, amount, of, mark, text }) => `${name}: ${amount} / ${of}, ${mark}, ${text.replace("\u00a0", " ")}`,
  );

test("each part has a number and its state in words, and no state says that something is missing", () => {
  const table: [Part, ItemProgress[], PartState, string[]][] = [
    ["experience", [entry(21_200, 6_850)], "missing", ["Experience: 212 / 630 h, half, In progress, 33 %"]],
    ["experience", [entry(62_999)], "missing", ["Experience: 629.99 / 630 h, half, In progress, 99 %"]],
    ["experience", [entry(63_000)], "met", ["Experience: 630 / 630 h, done, Met"]],
    ["experience", [entry(70_000)], "met", ["Experience: 700 / 630 h, done, Met"]],
    ["experience", [entry(0, 63_000)], "waiting", ["Experience: 0 / 630 h, requested, 630.0 h not verified yet"]],
    ["experience", [entry(0)], "missing", ["Experience: 0 / 630 h, pending, Nothing logged yet"]],
    ["experience", [entry(0, 100)], "missing", ["Experience: 0 / 630 h, half, In progress, 0 %"]],
    [
      "experience",
      [entry(10_000, 0, 20_000), entry(30_000, 0, 120_000)],
      "missing",
      ["Experience: 300 / 1200 h, half, In progress, 25 %"],
    ],
    [
      "experience",
      [entry(19_950, 0, 100_000), since(11), held({ verified: 100, endsOn: "2028-12-20" })],
      "missing",
      [
        "Experience: 199.5 / 1000 h, half, In progress, 19 %",
        "Months: 11 / 12 months, half, In progress, 91 %",
        "Level 1 certificate: 1 / 1, done, Met, to 20 Dec 2028",
      ],
    ],
    [
      "examinations",
      [exam(8_600), exam(0, 8_250), exam(0, 9_000), average(0)],
      "waiting",
      ["Exams: 1 / 3, requested, 2 not verified yet"],
    ],
    ["examinations", [exam(8_600), exam(0), average(0)], "missing", ["Exams: 1 / 2, half, In progress, 50 %"]],
    ["examinations", [exam(0), exam(0)], "missing", ["Exams: 0 / 2, pending, Nothing logged yet"]],
    ["examinations", [exam(7_000), exam(7_000), average(0)], "missing", ["Exams: 2 / 2, pending, Composite too low"]],
    ["examinations", [exam(9_000), average(9_000)], "met", ["Exams: 1 / 1, done, Met"]],
    [
      "vision",
      [test1({ verified: 100, endsOn: "2027-01-08" }), test1({ verified: 100 })],
      "ends_soon",
      ["Vision: 2 / 2, ends, Met, expires in 42 days"],
    ],
    ["vision", [test1({ endsOn: "2026-11-26" })], "missing", ["Vision: 0 / 1, over, Expired 26 Nov 2026"]],
  ];
  for (const [part, items, state, expected] of table) expect(shown(part, items, state)).toEqual(expected);
});

test("the words for an end follow the day, and one day is no plural", () => {
  const table = { "2026-11-26": "expired 26 Nov 2026", [TODAY]: "expires today", "2026-11-28": "expires in 1 day" };
  for (const [day, words] of Object.entries(table)) expect(endText(day, TODAY)).toBe(words);
  expect(endText("2027-02-25", TODAY)).toBe("expires in 90 days");
  expect(endText("2027-02-26", TODAY)).toBe("to 26 Feb 2027");
});

test("parts without a figure are named together, and none if there are none", () => {
  const parts = (...names: Part[]) => names.map((part) => ({ part, state: "none" as const, endsOn: null }));
  expect(withoutFigures(parts("training", "examinations", "vision"))).toBe("training, exams and vision");
  expect(withoutFigures([{ part: "vision", state: "met", endsOn: null }])).toBeNull();
});
