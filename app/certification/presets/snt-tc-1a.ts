import { entryItem, type MethodRow, type Preset } from "./preset.ts";

const PUBLISHED = {
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
const ROWS: readonly { row: MethodRow; I: number; II: number; direct: number; total: number | null }[] = [
  { row: ["PT", "PT"], I: 70, II: 140, direct: 210, total: 400 },
  { row: ["MT", "MT"], I: 70, II: 210, direct: 280, total: 530 },
  { row: ["RT", "RT"], I: 210, II: 630, direct: 840, total: 1600 },
  { row: UT, I: 210, II: 630, direct: 840, total: 1600 },
  { row: ["ET", "ET"], I: 210, II: 630, direct: 840, total: null },
];

/** What counts as NDT hours in any method: the methods that have a row. */
const NDT = ROWS.flatMap(({ row: [_title, ...methods] }) => methods);

const NOTES = [
  "SNT-TC-1A is a recommendation. No figures were found for the 2024 edition, and no hours for Level III.",
  "UT counts UT Thk. and UTSW together: whether they add up is your employer's decision. Level II Limited for UT thickness has a table of its own, whose figures were not found.",
  "RFT has no figure of its own and is left out; counting it as ET is an assumption. No figures were found for PMI and LSI. The app logs no VT hours.",
];

function published({ row: [title] }: { row: MethodRow }) {
  return title === "ET" ? ET_PUBLISHED : PUBLISHED;
}

export const SNT_TC_1A: Preset[] = [
  {
    preset: "snt-tc-1a-level-1",
    title: "SNT-TC-1A, Level I",
    standard: "SNT-TC-1A",
    items: ROWS.map((one) => entryItem(one.row, "hours", one.I, published(one))),
    notes: NOTES,
  },
  {
    preset: "snt-tc-1a-level-2",
    title: "SNT-TC-1A, Level II after Level I",
    standard: "SNT-TC-1A",
    items: ROWS.map((one) => entryItem(one.row, "hours", one.II, published(one))),
    notes: NOTES,
  },
  {
    preset: "snt-tc-1a-level-2-direct",
    title: "SNT-TC-1A, direct to Level II",
    standard: "SNT-TC-1A",
    items: ROWS.flatMap(({ row, direct, total }) => [
      entryItem(row, "hours", direct, row[0] === "ET" ? ET_COMPUTED : PUBLISHED),
      ...(total ? [entryItem([`${row[0]}, all NDT hours`, ...NDT], "hours", total, PUBLISHED)] : []),
    ]),
    notes: [...NOTES, "All NDT hours count ET, MT, PT, RT, UT Thk. and UTSW. For ET their number was not found."],
  },
];
