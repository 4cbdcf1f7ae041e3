import { expect, test } from "vitest";
import { targetSchema } from "#app/certification/target.schema.ts";
import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { NOTICE, type Preset } from "./preset.ts";
import { PRESETS, presetNamed, shownPresets, TARGET_PRESETS, targetFromPreset, targetPresetNamed } from "./presets.ts";

/*
 * Every figure of every preset, against the published figures as they were collected. A changed, added or lost figure
 * fails. No source is a standard's own table.
 */

type Figures = Record<string, number>;

const SNT = "SNT-TC-1A";
const NAS = "NAS 410 / EN 4179";

/** The figures by preset: `{title of the item}: required`, in the unit of the preset. */
const FIGURES: Record<string, { standard: string; unit: string; confidence: string; figures: Figures }> = {
  "snt-tc-1a-level-1": hours(SNT, { PT: 70, MT: 70, RT: 210, UT: 210, ET: 210, VT: 70 }),
  "snt-tc-1a-level-2": hours(SNT, { PT: 140, MT: 210, RT: 630, UT: 630, ET: 630, VT: 140 }),
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
    VT: 210,
    "VT, all NDT hours": 400,
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
  "cgsb-level-1": months(3, 4),
  "cgsb-level-2": months(9, 12),
  "cgsb-level-3": months(18, 12),
  "irata-level-2": rope("IRATA", "high", 1000, 12, 1),
  "irata-level-3": rope("IRATA", "medium", 1000, 12, 2),
  "sprat-level-2": rope("SPRAT", "medium", 500, 6, 1),
  "sprat-level-3": rope("SPRAT", "medium", 500, 6, 2),
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
  const figures = { ET: long, RT: long, UT: long, AE: long, LT: long, IR: long, MT: short, PT: short, VT: short };
  return { standard: "ISO 9712:2021", unit: "days", confidence: "high", figures };
}
function months(long: number, short: number) {
  const figures = { ET: long, RT: long, UT: long, MT: short, PT: short, VT: short };
  return { standard: "NRCan/CGSB", unit: "months", confidence: "medium", figures };
}
function rope(standard: string, confidence: string, hours: number, months: number, before: number) {
  const figures = { "Hours on the rope": hours, "Months since the certificate": months };
  return { standard, unit: "", confidence, figures: { ...figures, [`Level ${before} certificate`]: 1 } };
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
      const expected = FIGURES[preset]?.unit || { H: "hours", M: "elapsedMonths", L: "valid" }[title.slice(0, 1)];
      expect([preset, title, unit]).toEqual([preset, title, expected]);
    }
  }
});

test("each figure tells its source and how reliable it is: SNT-TC-1A's ET and VT are of medium confidence", () => {
  for (const { preset, items } of PRESETS) {
    for (const { title, source, confidence } of items) {
      const isEt = preset.startsWith("snt") && title === "ET";
      const isMedium = isEt || (preset.startsWith("snt") && title.startsWith("VT"));
      expect([preset, title, confidence]).toEqual([preset, title, isMedium ? "medium" : FIGURES[preset]?.confidence]);
      expect(source).not.toBe("");
      expect(source.includes("nde.com, 2020")).toBe(preset.startsWith("snt") && !isEt);
    }
  }
});

/** The methods of each row, by standard. A method without a row is left out, and so is a technique. */
const ROWS = { PT: ["PT"], MT: ["MT"], RT: ["RT"], UT: ["UT", "UTSW"], ET: ["ET"] };
const MAPPING: Record<string, Record<string, string[]>> = {
  [SNT]: { ...ROWS, VT: ["VT"] },
  [NAS]: { ...ROWS, "RT, film and digital": ["RT"] },
  "NRCan/CGSB": { ...ROWS, VT: ["VT"] },
  "ISO 9712:2021": { ...ROWS, ET: ["ET", "RFT"], VT: ["VT"], AE: ["AE"], LT: ["LT"], IR: ["IR"] },
};
const NDT = METHODS.filter((method) => method !== "PMI" && method !== "LSI");

test("a row counts the methods of its standard, and all NDT hours every method but PMI and LSI", () => {
  for (const { standard, items } of PRESETS) {
    for (const { title, kind, methods } of items) {
      const rows = MAPPING[standard];
      const expected = title.endsWith("all NDT hours") ? NDT : rows?.[title];
      expect([standard, title, [...methods].sort()]).toEqual([standard, title, [...(expected ?? [])].sort()]);
      expect(kind).toBe(rows ? "entry" : title.startsWith("Hours") ? "rope_hour" : "certificate");
    }
  }
});

test("a method that no row counts is named in the preset", () => {
  for (const { preset, items, notes } of PRESETS.filter(({ items }) => items.some(({ kind }) => kind === "entry"))) {
    const targets = TARGET_PRESETS.filter(({ of }) => of === preset);
    const said = [...notes, ...targets.map(({ techniques }) => techniques)].join(" ");
    const counted = new Set(items.filter(({ title }) => !title.endsWith("hours")).flatMap(({ methods }) => methods));
    for (const method of METHODS.filter((one) => !counted.has(one))) {
      expect([preset, method, said]).toEqual([preset, method, expect.stringMatching(`\\b${methodLabel(method)}`)]);
    }
  }
});

test("a technique is left out of its method, which says so where the figures are chosen", () => {
  const techniques = (name: string) => targetPresetNamed(name)?.techniques;
  const ut = "UT counts UT and UTSW. UT Thk., PAUT and TOFD are left out: tick them if your employer counts them.";
  for (const preset of ["snt-tc-1a-level-2-ut", "nas-410-level-1-ut", "iso-9712-level-1-ut", "cgsb-level-2-ut"])
    expect(techniques(preset)).toBe(ut);
  expect(techniques("snt-tc-1a-level-1-et")).toContain("ET counts ET. RFT, ACFM and ECA are left out");
  expect(techniques("iso-9712-level-1-et")).toContain("ET counts ET and RFT. ACFM and ECA are left out");
  expect(techniques("iso-9712-level-1-mt")).toContain("MFL is left out: tick it if your employer counts it.");
  expect([techniques("snt-tc-1a-level-1-mt"), techniques("snt-tc-1a-level-1-vt")]).toEqual([null, null]);
});

test("every preset says that the employer decides, and none says qualified or what LSI stands for", () => {
  for (const preset of shownPresets()) {
    expect(preset.notice).toBe("Your employer's written practice decides.");
    expect(JSON.stringify(preset)).not.toMatch(/qualified|certified|LSI \(|laser|lead screen/i);
  }
  expect(NOTICE).toBe(shownPresets()[0]?.notice);
});

/** What a preset of one method asks for, in short: `{title}: figure`. */
function figuresOf(name: string) {
  const items = targetPresetNamed(name)?.items ?? [];
  return Object.fromEntries(items.map(({ title, required }) => [title, required / 100]));
}
const MARKS = { General: 70, Specific: 70, Practical: 80, Composite: 80 };
const VISION = { "Near vision": 1, "Colour vision": 1 };

test("a preset of SNT-TC-1A is one method and level with its four parts; direct to Level II is the sum of both", () => {
  const parts = { ...MARKS, ...VISION };
  const [one, two, direct] = ["level-1", "level-2", "level-2-direct"].map((level) => `snt-tc-1a-${level}`);
  expect(figuresOf(`${one}-ut`)).toEqual({
    "UT classroom training": 40,
    "UT experience": 210,
    "Total NDT experience": 400,
    ...parts,
  });
  expect(figuresOf(`${two}-mt-college`)).toEqual({
    "MT classroom training": 4,
    "MT experience": 210,
    "Total NDT experience": 400,
    ...parts,
  });
  expect(figuresOf(`${direct}-pt`)).toEqual({
    "PT classroom training": 12,
    "PT experience": 210,
    "Total NDT experience": 400,
    ...parts,
  });
  expect(figuresOf(`${direct}-et-college`)).toEqual({
    "ET classroom training": 64,
    "ET experience": 840,
    "Total NDT experience": 1600,
    ...parts,
  });
  expect(figuresOf(`${one}-vt`)).toEqual({
    "VT classroom training": 8,
    "VT experience": 70,
    "Total NDT experience": 130,
    ...parts,
  });
  expect(figuresOf(`${two}-vt-college`)).toEqual({
    "VT classroom training": 8,
    "VT experience": 140,
    "Total NDT experience": 270,
    ...parts,
  });
  expect(figuresOf(`${direct}-rt`)["Total NDT experience"]).toBe(1600);
  const colours = TARGET_PRESETS.flatMap(({ items }) => items.filter(({ category }) => category === "colour_vision"));
  expect([...new Set(colours.map(({ withinYears }) => withinYears))]).toEqual([5]);
  const all = targetPresetNamed(`${one}-pt`)?.items.find(({ title }) => title === "Total NDT experience");
  expect(all).toMatchObject({ required: 13_000, confidence: "low" });
  expect(targetPresetNamed(`${one}-ut`)?.items[0]).toMatchObject({ level: "Level I", kind: "training", unit: "hours" });
  expect(targetPresetNamed(`${direct}-ut`)?.items[0]).toMatchObject({ level: null, confidence: "high" });
});

test("a figure that nobody knows is left out, and the preset says so", () => {
  expect(figuresOf("nas-410-level-1-rt-film-and-digital")).toEqual({
    "RT experience, film and digital": 220,
    "Near vision": 1,
  });
  expect(targetPresetNamed("nas-410-level-1-ut")?.notes.join(" ")).toContain("The hours of training, the marks");
  expect(figuresOf("iso-9712-level-3-direct-mt")).toEqual({ "MT experience": 360, ...VISION });
  expect(targetPresetNamed("iso-9712-level-3-direct-mt")?.notes.join(" ")).toContain("No training was found");
  expect(targetPresetNamed("irata-level-2")?.notes.join(" ")).toContain("No figures were found for training");
});

test("ISO 9712 asks for days of training, near vision every year and colour vision within 5; CGSB for months of 10 years", () => {
  expect(figuresOf("iso-9712-level-1-ut")).toEqual({ "UT classroom training": 8, "UT experience": 45, ...VISION });
  expect(figuresOf("iso-9712-level-2-direct-rt")).toEqual({
    "RT classroom training": 15,
    "RT experience": 180,
    ...VISION,
  });
  expect(figuresOf("iso-9712-level-2-vt")).toEqual({ "VT classroom training": 2, "VT experience": 45, ...VISION });
  expect(figuresOf("iso-9712-level-1-ir")).toEqual({ "IR experience": 45, ...VISION });
  expect(targetPresetNamed("iso-9712-level-1-ir")?.notes).toContain("No training was found for IR.");
  expect(figuresOf("iso-9712-level-3-mt")).toEqual({ "MT classroom training": 4, "MT experience": 240, ...VISION });
  const years = (name: string) => targetPresetNamed(name)?.items.map(({ withinYears }) => withinYears);
  expect(years("iso-9712-level-1-ut")).toEqual([null, null, 1, 5]);
  expect([figuresOf("cgsb-level-2-ut"), years("cgsb-level-2-ut")]).toEqual([{ "UT experience": 9 }, [10]]);
});

test("training on the rope is left out for IRATA and counts for SPRAT", () => {
  expect(targetPresetNamed("irata-level-2")?.items[0]?.category).toBe("work");
  expect(targetPresetNamed("sprat-level-2")?.items[0]?.category).toBeNull();
});

test("months of CGSB are those worked as the level before, those of NAS 410 for Level 3 as Level II; others name no level", () => {
  const levels = PRESETS.flatMap(({ preset, items }) =>
    [...new Set(items.map(({ workedAs }) => workedAs))].flatMap((level) => (level ? [`${preset}: ${level}`] : [])),
  );
  expect(levels).toEqual([
    ...[4, 2, 1].map((years) => `nas-410-level-3-after-${years}-year${years > 1 ? "s" : ""}: Level II`),
    ...["cgsb-level-1: Trainee", "cgsb-level-2: Level I", "cgsb-level-3: Level II"],
  ]);
});

test("a certificate and a mark are to the preset's own standard, and a vision test to any", () => {
  for (const { standard, items } of TARGET_PRESETS) {
    for (const { title, kind, category, ...item } of items.filter(({ kind }) => kind === "certificate")) {
      const expected = category?.endsWith("vision") ? null : standard;
      expect([standard, title, item.standard]).toEqual([standard, title, expected]);
    }
  }
});

test("every preset is a target that can be saved: its figures, its sources and what is left out", () => {
  expect(TARGET_PRESETS).toHaveLength(3 * 12 + 3 * 6 + 3 * 5 + 6 * 9 + 3 * 6 + 4);
  expect(new Set(TARGET_PRESETS.map(({ preset }) => preset)).size).toBe(TARGET_PRESETS.length);
  for (const preset of TARGET_PRESETS) {
    const { items, ...target } = targetFromPreset(preset);
    const sent = { ...target, items: items.map((item) => ({ ...item, required: item.required / 100 })) };
    expect([preset.preset, targetSchema(new Date()).safeParse(sent)]).toMatchObject([preset.preset, { success: true }]);
  }
  const copy = targetFromPreset(targetPresetNamed("snt-tc-1a-level-1-et") as Preset);
  expect(copy.source).toContain(
    "ET experience: radiantndtservices.com, 2006; ndtsis.com; not in nde.com (medium confidence).",
  );
  expect(copy.source).toContain("No figures were found for PMI, LSI, LT, AE, IR, GW and MFL.");
});

test("a level is written as its standard writes it", () => {
  const titles = (standard: string) =>
    PRESETS.filter((one) => one.standard.startsWith(standard)).map((one) => one.title);
  for (const standard of [SNT]) expect(titles(standard).join()).not.toMatch(/Level \d/);
  for (const standard of ["ISO 9712", NAS, "IRATA", "SPRAT"]) expect(titles(standard).join()).not.toMatch(/Level I/);
  expect(targetPresetNamed("sprat-level-2")).toMatchObject({
    title: "SPRAT, Level 1 to Level 2",
    items: [{ clause: "as Level 1" }, { level: "Level I" }, { level: "Level I" }],
  });
});

test("a name is no preset if it is unknown, empty, or a property of every object", () => {
  for (const name of ["", "SNT-TC-1A", "__proto__", "toString", null, 1])
    expect([presetNamed(name), targetPresetNamed(name)]).toEqual([undefined, undefined]);
});
