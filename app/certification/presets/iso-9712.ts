import { entryItem, type MethodRow, type Preset } from "./preset.ts";

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
export const ISO_9712: Preset[] = COLUMNS.map(({ preset, title, long, short }) => ({
  preset: `iso-9712-${preset}`,
  title: `ISO 9712, ${title}`,
  standard: "ISO 9712:2021",
  items: [
    ...LONG.map((row) => entryItem(row, "days", long, PUBLISHED)),
    ...SHORT.map((row) => entryItem(row, "days", short, PUBLISHED)),
  ],
  notes: NOTES,
}));
