import { expect, test } from "vitest";
import { METHODS } from "#app/db/enumerations.ts";
import { NOTICE } from "./preset.ts";
import { PRESETS, presetNamed, shownPresets, targetFromPreset } from "./presets.ts";

/*
 * Every figure of every preset, against the published figures as they were collected. A changed, added or lost figure
 * fails. No source is a standard's own table.
 */

type Figures = Record<string, number>;

const SNT = "SNT-TC-1A";
const NAS = "NAS 410 / EN 4179";

/** The figures by preset: `{title of the item}: required`, in the unit of the preset. */
const FIGURES: Record<string, { standard: string; unit: string; confidence: string; figures: Figures }> = {
  "snt-tc-1a-level-1": hours(SNT, { PT: 70, MT: 70, RT: 210, UT: 210, ET: 210 }),
  "snt-tc-1a-level-2": hours(SNT, { PT: 140, MT: 210, RT: 630, UT: 630, ET: 630 }),
  "snt-tc-1a-level-2-direct": hours(SNT, {
    PT: 210,
    "PT, all NDT hours": 400,
    MT: 280,
    "MT, all NDT hours": 530,
    RT: 840,
    "RT, all NDT hours": 1600,
    UT: 840,
    "UT, all NDT hours": 1600,
    ET: 840,
  }),
  "nas-410-level-1": hours(NAS, { PT: 130, MT: 130, ET: 200, UT: 200, RT: 200, "RT, film and digital": 220 }),
  "nas-410-level-2": hours(NAS, { PT: 270, MT: 400, ET: 600, UT: 600, RT: 600, "RT, film and digital": 780 }),
  "nas-410-level-2-direct": hours(NAS, {
    PT: 400,
    MT: 530,
    ET: 800,
    UT: 800,
    RT: 800,
    "RT, film and digital": 1000,
  }),
  "nas-410-level-3-after-4-years": years(4),
  "nas-410-level-3-after-2-years": years(2),
  "nas-410-level-3-after-1-year": years(1),
  "iso-9712-level-1": days(45, 15),
  "iso-9712-level-2": days(135, 45),
  "iso-9712-level-2-direct": days(180, 60),
  "iso-9712-level-3-degree": days(270, 180),
  "iso-9712-level-3": days(450, 240),
  "iso-9712-level-3-direct": days(540, 360),
  "irata-level-2": rope("IRATA", "high", 1000, 12),
  "irata-level-3": rope("IRATA", "medium", 1000, 12),
  "sprat-level-2": rope("SPRAT", "medium", 500, 6),
  "sprat-level-3": rope("SPRAT", "medium", 500, 6),
};

function hours(standard: string, figures: Figures) {
  return { standard, unit: "hours", confidence: "high", figures };
}
function years(count: number) {
  const months = 12 * count;
  const figures = { PT: months, MT: months, ET: months, UT: months, RT: months };
  return { standard: NAS, unit: "months", confidence: "medium", figures };
}
function days(long: number, short: number) {
  const figures = { ET: long, RT: long, UT: long, MT: short, PT: short };
  return { standard: "ISO 9712:2021", unit: "days", confidence: "high", figures };
}
function rope(standard: string, confidence: string, hours: number, months: number) {
  return { standard, unit: "", confidence, figures: { "Hours on the rope": hours, "Months on the rope": months } };
}

test("the presets have the published figures, and no others", () => {
  const figures = PRESETS.map(({ preset, items }) => [
    preset,
    Object.fromEntries(items.map(({ title, required }) => [title, required / 100])),
  ]);
  expect(Object.fromEntries(figures)).toEqual(
    Object.fromEntries(Object.entries(FIGURES).map(([preset, { figures }]) => [preset, figures])),
  );
});

test("a figure has the unit of its standard: hours, days in ISO 9712, years in months", () => {
  for (const { preset, standard, items } of PRESETS) {
    expect([preset, standard]).toEqual([preset, FIGURES[preset]?.standard]);
    for (const { title, unit } of items) {
      const expected = FIGURES[preset]?.unit || (title.startsWith("Hours") ? "hours" : "months");
      expect([preset, title, unit]).toEqual([preset, title, expected]);
    }
  }
});

test("each figure tells its source and how reliable it is: SNT-TC-1A's ET is of medium confidence", () => {
  for (const { preset, items } of PRESETS) {
    for (const { title, source, confidence } of items) {
      const isEt = preset.startsWith("snt") && title === "ET";
      expect([preset, title, confidence]).toEqual([preset, title, isEt ? "medium" : FIGURES[preset]?.confidence]);
      expect(source).not.toBe("");
      expect(source.includes("nde.com, 2020")).toBe(preset.startsWith("snt") && !isEt);
    }
  }
});

/** The methods of each row, by standard. A method without a row is left out. */
const MAPPING: Record<string, Record<string, string[]>> = {
  [SNT]: { PT: ["PT"], MT: ["MT"], RT: ["RT"], UT: ["UT_THK", "UTSW"], ET: ["ET"] },
  [NAS]: { PT: ["PT"], MT: ["MT"], RT: ["RT"], UT: ["UT_THK", "UTSW"], ET: ["ET"], "RT, film and digital": ["RT"] },
  "ISO 9712:2021": { PT: ["PT"], MT: ["MT"], RT: ["RT"], UT: ["UT_THK", "UTSW"], ET: ["ET", "RFT"] },
};

test("a row counts the methods of its standard, and all NDT hours those of every row", () => {
  for (const { standard, items } of PRESETS) {
    for (const { title, kind, methods } of items) {
      const rows = MAPPING[standard];
      const expected = title.endsWith("all NDT hours") ? Object.values(rows ?? {}).flat() : rows?.[title];
      expect([standard, title, [...methods].sort()]).toEqual([standard, title, [...(expected ?? [])].sort()]);
      expect(kind).toBe(rows ? "entry" : "rope_hour");
    }
  }
});

test("a method that no row counts is named in the preset", () => {
  for (const { preset, items, notes } of PRESETS.filter(({ items }) => items.some(({ kind }) => kind === "entry"))) {
    const counted = new Set(items.flatMap(({ methods }) => methods));
    for (const method of METHODS.filter((one) => !counted.has(one))) {
      expect([preset, method, notes.join(" ")]).toEqual([preset, method, expect.stringMatching(`\\b${method}\\b`)]);
    }
    expect(notes.join(" ")).toContain(
      "UT counts UT Thk. and UTSW together: whether they add up is your employer's decision.",
    );
  }
});

test("every preset says that the employer decides, and none says qualified or what LSI stands for", () => {
  for (const preset of shownPresets()) {
    expect(preset.notice).toBe("Your employer's written practice decides.");
    expect(JSON.stringify(preset)).not.toMatch(/qualified|certified|LSI \(|laser|lead screen/i);
  }
  expect(NOTICE).toBe(shownPresets()[0]?.notice);
});

test("a copy keeps its figures, and says where they are from and what is left out", () => {
  const preset = presetNamed("snt-tc-1a-level-1");
  if (!preset) throw new Error("no such preset");
  const copy = targetFromPreset(preset);
  expect(copy.items[4]).toEqual({
    title: "ET",
    clause: "",
    unit: "hours",
    kind: "entry",
    methods: ["ET"],
    required: 21_000,
  });
  expect(copy.source).toContain("ET: radiantndtservices.com, 2006; ndtsis.com; not in nde.com (medium confidence).");
  expect(copy.source).toContain("No figures were found for PMI and LSI.");
});

test("a name is no preset if it is unknown, empty, or a property of every object", () => {
  for (const name of ["", "SNT-TC-1A", "__proto__", "toString", null, 1]) expect(presetNamed(name)).toBeUndefined();
});
