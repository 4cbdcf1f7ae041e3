import { shownItem } from "#app/certification/shown-target.ts";
import {
  type Confidence,
  entryItem,
  type MethodRow,
  NOTICE,
  type Preset,
  type PresetItem,
  ropeItem,
} from "./preset.ts";

const SNT_TC_1A_PUBLISHED = {
  source: "radiantndtservices.com and ndtexperts, both 2006; nde.com, 2020",
  confidence: "high",
} as const;
const ET_PUBLISHED = {
  source: "radiantndtservices.com, 2006; ndtsis.com; not in nde.com",
  confidence: "medium",
} as const;
const ET_COMPUTED = {
  source: "the sum of Level I and Level II, not quoted by a source",
  confidence: "medium",
} as const;

/** Both UT methods of the app: whether they add up is an employer's decision. */
const UT: MethodRow = ["UT", "UT_THK", "UTSW"];
/** The rows of the table in which the app has a method, and their hours in method. */
const SNT_TC_1A_ROWS: readonly { row: MethodRow; I: number; II: number; direct: number; total: number | null }[] = [
  { row: ["PT", "PT"], I: 70, II: 140, direct: 210, total: 400 },
  { row: ["MT", "MT"], I: 70, II: 210, direct: 280, total: 530 },
  { row: ["RT", "RT"], I: 210, II: 630, direct: 840, total: 1600 },
  { row: UT, I: 210, II: 630, direct: 840, total: 1600 },
  { row: ["ET", "ET"], I: 210, II: 630, direct: 840, total: null },
];

/** What counts as NDT hours in any method: the methods that have a row. */
const NDT = SNT_TC_1A_ROWS.flatMap(({ row: [_title, ...methods] }) => methods);

const SNT_TC_1A_NOTES = [
  "SNT-TC-1A is a recommendation. No figures were found for the 2024 edition, and no hours for Level III.",
  "UT counts UT Thk. and UTSW together: whether they add up is your employer's decision. Level II Limited for UT thickness has a table of its own, whose figures were not found.",
  "RFT has no figure of its own and is left out; counting it as ET is an assumption. No figures were found for PMI and LSI. The app logs no VT hours.",
];

function published({ row: [title] }: { row: MethodRow }) {
  return title === "ET" ? ET_PUBLISHED : SNT_TC_1A_PUBLISHED;
}

const SNT_TC_1A: Preset[] = [
  {
    preset: "snt-tc-1a-level-1",
    title: "SNT-TC-1A, Level I",
    standard: "SNT-TC-1A",
    items: SNT_TC_1A_ROWS.map((one) => entryItem(one.row, "hours", one.I, published(one))),
    notes: SNT_TC_1A_NOTES,
  },
  {
    preset: "snt-tc-1a-level-2",
    title: "SNT-TC-1A, Level II after Level I",
    standard: "SNT-TC-1A",
    items: SNT_TC_1A_ROWS.map((one) => entryItem(one.row, "hours", one.II, published(one))),
    notes: SNT_TC_1A_NOTES,
  },
  {
    preset: "snt-tc-1a-level-2-direct",
    title: "SNT-TC-1A, direct to Level II",
    standard: "SNT-TC-1A",
    items: SNT_TC_1A_ROWS.flatMap(({ row, direct, total }) => [
      entryItem(row, "hours", direct, row[0] === "ET" ? ET_COMPUTED : SNT_TC_1A_PUBLISHED),
      ...(total ? [entryItem([`${row[0]}, all NDT hours`, ...NDT], "hours", total, SNT_TC_1A_PUBLISHED)] : []),
    ]),
    notes: [
      ...SNT_TC_1A_NOTES,
      "All NDT hours count ET, MT, PT, RT, UT Thk. and UTSW. For ET their number was not found.",
    ],
  },
];

const NAS_410_PUBLISHED = {
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

const NAS_410_NOTES = [
  "UT counts UT Thk. and UTSW together: whether they add up is your employer's decision.",
  "RT has two figures: remove the one that does not apply to you.",
  "The standard has no figures for RFT, PMI and LSI.",
];

function byHours(preset: string, title: string, hours: (row: { I: number; II: number }) => number): Preset {
  return {
    preset,
    title: `NAS 410 / EN 4179, ${title}`,
    standard: "NAS 410 / EN 4179",
    items: ROWS.map((one) => entryItem(one.row, "hours", hours(one), NAS_410_PUBLISHED)),
    notes: NAS_410_NOTES,
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
      ...NAS_410_NOTES.filter((note) => !note.startsWith("RT")),
    ],
  };
}

const NAS_410: Preset[] = [
  byHours("nas-410-level-1", "Level 1", ({ I }) => I),
  byHours("nas-410-level-2", "Level 2 after Level 1", ({ II }) => II),
  byHours("nas-410-level-2-direct", "direct to Level 2", ({ I, II }) => I + II),
  ...[4, 2, 1].map(levelThree),
];

const MONTHS = "A month counts if it has a record of rope hours.";
const SINCE = "Set the day from which records count to the day of your certificate.";

function irata(preset: string, title: string, note: string, confidence: Confidence): Preset {
  const published = { source: "relyon, course page", confidence };
  return {
    preset,
    title: `IRATA, ${title}`,
    standard: "IRATA",
    items: [
      ropeItem("Hours on the rope", "hours", 1000, published),
      ropeItem("Months on the rope", "months", 12, { ...published, clause: "1 year" }),
    ],
    notes: [`An upgrade needs a valid certificate, 1 year, and 1000 hours logged and signed. ${note}`, MONTHS, SINCE],
  };
}

const IRATA: Preset[] = [
  irata("irata-level-2", "Level 1 to Level 2", "The page is about this upgrade.", "high"),
  irata(
    "irata-level-3",
    "Level 2 to Level 3",
    "The page is about Level 1 to Level 2, worded for any upgrade.",
    "medium",
  ),
];

function sprat(preset: string, title: string, level: string): Preset {
  const published = {
    source: "ropeworks.com and veraindustrial.com, from before April 2024",
    confidence: "medium" as const,
    clause: `as ${level}`,
  };
  return {
    preset,
    title: `SPRAT, ${title}`,
    standard: "SPRAT",
    items: [
      ropeItem("Hours on the rope", "hours", 500, published),
      ropeItem("Months on the rope", "months", 6, published),
    ],
    notes: [
      "SPRAT changed its requirements in April 2024, and the new ones could not be read: these are the ones of before.",
      MONTHS,
      SINCE,
    ],
  };
}

const SPRAT: Preset[] = [
  sprat("sprat-level-2", "Level I to Level II", "Level I"),
  sprat("sprat-level-3", "Level II to Level III", "Level II"),
];

const PUBLISHED = { source: "dgzfp.de, Table 3; oegfzp.at agrees", confidence: "high", clause: "Table 3" } as const;

/** The columns of the table, in days: for ET, RT and UT, and for MT and PT. */
const COLUMNS: readonly { preset: string; title: string; long: number; short: number }[] = [
  { preset: "level-1", title: "Level 1", long: 45, short: 15 },
  { preset: "level-2", title: "Level 2 after Level 1", long: 135, short: 45 },
  { preset: "level-2-direct", title: "direct to Level 2", long: 180, short: 60 },
  { preset: "level-3-degree", title: "Level 3 after Level 2, with a degree", long: 270, short: 180 },
  { preset: "level-3", title: "Level 3 after Level 2", long: 450, short: 240 },
  { preset: "level-3-direct", title: "direct to Level 3, with a degree", long: 540, short: 360 },
];

const LONG: readonly MethodRow[] = [
  ["ET", "ET", "RFT"],
  ["RT", "RT"],
  ["UT", "UT_THK", "UTSW"],
];
const SHORT: readonly MethodRow[] = [
  ["MT", "MT"],
  ["PT", "PT"],
];

const NOTES = [
  "A day is at least 7 hours: hours are divided by 7, and at most 12 hours of a calendar day count.",
  "ET counts RFT: that is an assumption. UT counts UT Thk. and UTSW together: whether they add up is your employer's decision.",
  "The standard has no figures for PMI and LSI. The app logs no AT, LT, ST, TT and VT hours.",
];

/** ISO 9712:2021. */
const ISO_9712: Preset[] = COLUMNS.map(({ preset, title, long, short }) => ({
  preset: `iso-9712-${preset}`,
  title: `ISO 9712, ${title}`,
  standard: "ISO 9712:2021",
  items: [
    ...LONG.map((row) => entryItem(row, "days", long, PUBLISHED)),
    ...SHORT.map((row) => entryItem(row, "days", short, PUBLISHED)),
  ],
  notes: NOTES,
}));

/** All presets, in the order in which they are offered. None of their figures is from a standard's own table. */
export const PRESETS: readonly Preset[] = [...SNT_TC_1A, ...NAS_410, ...ISO_9712, ...IRATA, ...SPRAT];

export function presetNamed(name: unknown): Preset | undefined {
  return PRESETS.find(({ preset }) => preset === name);
}

interface Source {
  source: string;
  confidence: Confidence;
  /** The items whose figures are from there. */
  titles: string[];
}

/** The sources of a preset's figures. */
export function sourcesOf(items: readonly PresetItem[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { title, source, confidence } of items) {
    const found = sources.get(source) ?? { source, confidence, titles: [] };
    sources.set(source, { ...found, titles: [...found.titles, title] });
  }
  return [...sources.values()];
}

/** A target with the figures of a preset; its source says of each figure where it is from, and what is left out. */
export function targetFromPreset({ title, standard, items, notes }: Preset) {
  const sentences = sourcesOf(items).map(
    ({ source, confidence, titles }) => `${titles.join("; ")}: ${source} (${confidence} confidence).`,
  );
  return {
    title,
    standard,
    source: [...sentences, ...notes].join(" "),
    since: null,
    items: items.map(({ source: _source, confidence: _confidence, ...item }) => item),
  };
}

/** The presets as `GET /api/target-presets` shows them: figures in hours, days and months. */
export function shownPresets() {
  return PRESETS.map(({ items, ...preset }) => ({ ...preset, notice: NOTICE, items: items.map(shownItem) }));
}
