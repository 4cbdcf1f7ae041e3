import { shownItem } from "#app/certification/shown-target.ts";
import { NAS_410 } from "./nas-410.ts";
import {
  type Confidence,
  entryItem,
  type MethodRow,
  NOTICE,
  type Preset,
  type PresetItem,
  ropeItem,
} from "./preset.ts";
import { SNT_TC_1A } from "./snt-tc-1a.ts";

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
