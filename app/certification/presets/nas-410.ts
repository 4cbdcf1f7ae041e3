import { entryItem, type MethodRow, type Preset } from "./preset.ts";

const PUBLISHED = {
  source: "oegfzp.at, aerospace page of the NANDTB Austria, which names no revision of the standard",
  confidence: "high",
} as const;
const LEVEL_3 = {
  source: "argeqs3-ausbildung.at: 4, 2 or 1 years as Level 2, by education",
  confidence: "medium",
} as const;

/** The rows of the table in which the app has a method, and their hours. */
const ROWS: readonly { row: MethodRow; I: number; II: number }[] = [
  { row: ["PT", "PT"], I: 130, II: 270 },
  { row: ["MT", "MT"], I: 130, II: 400 },
  { row: ["ET", "ET"], I: 200, II: 600 },
  { row: ["UT", "UT_THK", "UTSW"], I: 200, II: 600 },
  { row: ["RT", "RT"], I: 200, II: 600 },
  { row: ["RT, film and digital", "RT"], I: 220, II: 780 },
];

const NOTES = [
  "UT counts UT Thk. and UTSW together: whether they add up is your employer's decision.",
  "RT has two figures: remove the one that does not apply to you.",
  "The standard has no figures for RFT, PMI and LSI.",
];

function byHours(preset: string, title: string, hours: (row: { I: number; II: number }) => number): Preset {
  return {
    preset,
    title: `NAS 410 / EN 4179, ${title}`,
    standard: "NAS 410 / EN 4179",
    items: ROWS.map((one) => entryItem(one.row, "hours", hours(one), PUBLISHED)),
    notes: NOTES,
  };
}

function levelThree(years: number): Preset {
  const counted = years === 1 ? "1 year" : `${years} years`;
  return {
    preset: `nas-410-level-3-after-${years === 1 ? "1-year" : `${years}-years`}`,
    title: `NAS 410 / EN 4179, Level 3 after ${counted} as Level 2`,
    standard: "NAS 410 / EN 4179",
    items: ROWS.slice(0, -1).map(({ row }) =>
      entryItem(row, "months", 12 * years, { ...LEVEL_3, clause: `${counted} as Level 2` }),
    ),
    notes: [
      "Level 3 asks for 4, 2 or 1 years as Level 2, by education. Here a month counts if it has an entry.",
      ...NOTES.filter((note) => !note.startsWith("RT")),
    ],
  };
}

export const NAS_410: Preset[] = [
  byHours("nas-410-level-1", "Level 1", ({ I }) => I),
  byHours("nas-410-level-2", "Level 2 after Level 1", ({ II }) => II),
  byHours("nas-410-level-2-direct", "direct to Level 2", ({ I, II }) => I + II),
  ...[4, 2, 1].map(levelThree),
];
