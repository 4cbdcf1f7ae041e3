import { shownItem } from "#app/certification/target.schema.ts";
import { type Category, type Level, METHOD_FACTS, METHODS, type Method } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import type { Part } from "#app/records/certificates/certificate.kind.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel, isCourse, levelText } from "#app/records/kind.ts";
import {
  type Confidence,
  type Evidence,
  entryItem,
  type MethodRow,
  NOTICE,
  type Preset,
  type PresetItem,
  presetItem,
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

const VT_PUBLISHED = {
  source: "nde.com, 2020, for the sum of both levels; no source was noted for its parts",
  confidence: "medium",
} as const;

/** Shear wave is how UT is done. Thickness alone makes no Level II, and PAUT and TOFD come after it. */
const UT: MethodRow = ["UT", "UT", "UTSW"];

/** The techniques of methods that are not among them. They count only if the technician ticks them. */
function techniquesOf(methods: readonly Method[], standard: string): Method[] {
  const isOwnMethod = (one: Method) => one === "MFL" && !standard.startsWith("ISO 9712");
  return METHODS.filter(
    (one) =>
      !methods.includes(one) && !isOwnMethod(one) && methods.some((method) => method === METHOD_FACTS[one].techniqueOf),
  );
}

const listed = (methods: readonly Method[]) => new Intl.ListFormat("en-GB").format(methods.map(methodLabel));

/** Says what an item counts of its method's techniques, and what it leaves out; null for a method without techniques. */
function techniquesText({ title, methods }: PresetItem, standard: string): string | null {
  const out = techniquesOf(methods, standard);
  const [are, them] = out.length === 1 ? ["is", "it"] : ["are", "them"];
  return out.length === 0
    ? null
    : `${title} counts ${listed(methods)}. ${listed(out)} ${are} left out: tick ${them} if your employer counts ${them}.`;
}

/** Names the methods that no row counts, not even as a technique. */
function noFigures(rows: readonly MethodRow[], standard = ""): string {
  const counted = rows.flatMap(([_title, ...methods]) => methods);
  const named = [...counted, ...techniquesOf(counted, standard)];
  return `No figures were found for ${listed(METHODS.filter((one) => !named.includes(one)))}`;
}

/** The rows of the table in which the app has a method, and their hours in method. */
const SNT_TC_1A_ROWS: readonly { row: MethodRow; I: number; II: number; direct: number; total: number | null }[] = [
  { row: ["PT", "PT"], I: 70, II: 140, direct: 210, total: 400 },
  { row: ["MT", "MT"], I: 70, II: 210, direct: 280, total: 530 },
  { row: ["RT", "RT"], I: 210, II: 630, direct: 840, total: 1600 },
  { row: UT, I: 210, II: 630, direct: 840, total: 1600 },
  { row: ["ET", "ET"], I: 210, II: 630, direct: 840, total: null },
  { row: ["VT", "VT"], I: 70, II: 140, direct: 210, total: 400 },
];

/** The methods whose hours are NDT hours. */
const NDT = METHODS.filter((method) => METHOD_FACTS[method].isNdt !== false);
const NDT_NOTE = "All NDT hours count every method but PMI and LSI, which no standard lists as NDT.";

const SNT_TC_1A_NOTES = [
  "SNT-TC-1A is a recommendation. No figures were found for the 2024 edition, and no hours for Level III.",
  "Level II Limited for UT thickness has a table of its own, whose figures were not found.",
  `${noFigures(SNT_TC_1A_ROWS.map(({ row }) => row))}.`,
];

function published({ row: [title] }: { row: MethodRow }) {
  return { ET: ET_PUBLISHED, VT: VT_PUBLISHED }[title] ?? SNT_TC_1A_PUBLISHED;
}

/** The figures are of these years; the sources name no edition. */
const SNT_TC_1A_EDITION = "as restated from 2006 to 2020";

const SNT_TC_1A: Preset[] = [
  {
    preset: "snt-tc-1a-level-1",
    title: "SNT-TC-1A, Level I",
    standard: "SNT-TC-1A",
    edition: SNT_TC_1A_EDITION,
    items: SNT_TC_1A_ROWS.map((one) => entryItem(one.row, "hours", one.I, published(one))),
    notes: SNT_TC_1A_NOTES,
  },
  {
    preset: "snt-tc-1a-level-2",
    title: "SNT-TC-1A, Level II after Level I",
    standard: "SNT-TC-1A",
    edition: SNT_TC_1A_EDITION,
    items: SNT_TC_1A_ROWS.map((one) => entryItem(one.row, "hours", one.II, published(one))),
    notes: SNT_TC_1A_NOTES,
  },
  {
    preset: "snt-tc-1a-level-2-direct",
    title: "SNT-TC-1A, direct to Level II",
    standard: "SNT-TC-1A",
    edition: SNT_TC_1A_EDITION,
    items: SNT_TC_1A_ROWS.flatMap(({ row, direct, total }) => [
      entryItem(row, "hours", direct, row[0] === "ET" ? ET_COMPUTED : published({ row })),
      ...(total ? [entryItem([`${row[0]}, all NDT hours`, ...NDT], "hours", total, published({ row }))] : []),
    ]),
    notes: [...SNT_TC_1A_NOTES, "All NDT hours were not found for ET."],
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
  { row: UT, I: 200, II: 600 },
  { row: ["RT", "RT"], I: 200, II: 600 },
  { row: ["RT, film and digital", "RT"], I: 220, II: 780 },
];

const NAS_410_NOTES = [
  "RT has two figures: remove the one that does not apply to you.",
  `${noFigures(ROWS.map(({ row }) => row))}.`,
];

function byHours(preset: string, title: string, hours: (row: { I: number; II: number }) => number): Preset {
  return {
    preset,
    title: `NAS 410 / EN 4179, ${title}`,
    standard: "NAS 410 / EN 4179",
    edition: "",
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
    edition: "",
    items: ROWS.slice(0, -1).map(({ row }) => ({
      ...entryItem(row, "months", 12 * years, { ...LEVEL_3, clause: `${counted} as Level 2` }),
      workedAs: "Level II" as const,
    })),
    notes: [
      "Level 3 asks for 4, 2 or 1 years as Level 2, by education. Here a month counts if it has an entry that says so.",
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

const SINCE = "Set the day from which records count to the day of your certificate.";
const ROPE_LEFT_OUT = "No figures were found for training, for marks and for vision.";

/** Hours on the rope and months since the certificate of the level before, which is valid. */
function ropeItems(
  [standard, hours, months]: readonly [standard: string, hours: number, months: number],
  level: Level,
  category: "work" | null,
  published: Evidence,
) {
  const certificate = { kind: "certificate", category: "certificate", level, standard } as const;
  return [
    presetItem("Hours on the rope", { unit: "hours", kind: "rope_hour", required: hours, category }, published),
    presetItem("Months since the certificate", { unit: "elapsedMonths", required: months, ...certificate }, published),
    presetItem(`${levelText(level, standard)} certificate`, { unit: "valid", required: 1, ...certificate }, published),
  ];
}

function irata(preset: string, title: string, level: Level, note: string, confidence: Confidence): Preset {
  const published = { source: "relyon, course page; training: TACS 4.13.7, irata.org", confidence };
  return {
    preset,
    title: `IRATA, ${title}`,
    standard: "IRATA",
    edition: "",
    items: ropeItems(["IRATA", 1000, 12], level, "work", published),
    notes: [
      `An upgrade needs a valid certificate, 1 year, and 1000 hours logged and signed. ${note}`,
      "Rope hours whose purpose is training do not count. Months are those since the certificate, by the word of a practitioner.",
      SINCE,
      ROPE_LEFT_OUT,
    ],
  };
}

const IRATA: Preset[] = [
  irata("irata-level-2", "Level 1 to Level 2", "Level I", "The page is about this upgrade.", "high"),
  irata(
    "irata-level-3",
    "Level 2 to Level 3",
    "Level II",
    "The page is about Level 1 to Level 2, worded for any upgrade.",
    "medium",
  ),
];

function sprat(preset: string, title: string, level: Level): Preset {
  const published = {
    source: "ropeworks.com and veraindustrial.com, from before April 2024",
    confidence: "medium" as const,
    clause: `as ${levelText(level, "SPRAT")}`,
  };
  return {
    preset,
    title: `SPRAT, ${title}`,
    standard: "SPRAT",
    edition: "before April 2024",
    items: ropeItems(["SPRAT", 500, 6], level, null, published),
    notes: [
      "SPRAT changed its requirements in April 2024, and we could not read the new ones: these figures are older.",
      "Rope hours whose purpose is training count (7.3.5.1). No source says whether months are those since the certificate, as here, or those with work.",
      SINCE,
      ROPE_LEFT_OUT,
    ],
  };
}

const SPRAT: Preset[] = [
  sprat("sprat-level-2", "Level 1 to Level 2", "Level I"),
  sprat("sprat-level-3", "Level 2 to Level 3", "Level II"),
];

const PUBLISHED = { source: "dgzfp.de, Table 3; oegfzp.at agrees", confidence: "high", clause: "Table 3" } as const;

/** The columns of the table, in days: for AT, ET, LT, RT, UT and TT, and for MT, PT and VT. */
const COLUMNS: readonly { preset: string; title: string; long: number; short: number }[] = [
  { preset: "level-1", title: "Level 1", long: 45, short: 15 },
  { preset: "level-2", title: "Level 2 after Level 1", long: 135, short: 45 },
  { preset: "level-2-direct", title: "direct to Level 2", long: 180, short: 60 },
  { preset: "level-3-degree", title: "Level 3 after Level 2, with a degree", long: 270, short: 180 },
  { preset: "level-3", title: "Level 3 after Level 2", long: 450, short: 240 },
  { preset: "level-3-direct", title: "direct to Level 3, with a degree", long: 540, short: 360 },
];

const LONG: readonly MethodRow[] = [["ET", "ET", "RFT"], ["RT", "RT"], UT, ["AE", "AE"], ["LT", "LT"], ["IR", "IR"]];
const SHORT: readonly MethodRow[] = [
  ["MT", "MT"],
  ["PT", "PT"],
  ["VT", "VT"],
];

const NOTES = [
  "A day is at least 7 hours: hours are divided by 7, and at most 12 hours of a calendar day count.",
  "That ET counts RFT is an assumption. The standard calls AE AT, and IR TT.",
  `${noFigures([...LONG, ...SHORT], "ISO 9712")}. The app logs no ST hours.`,
];

/** ISO 9712:2021. */
const ISO_9712: Preset[] = COLUMNS.map(({ preset, title, long, short }) => ({
  preset: `iso-9712-${preset}`,
  title: `ISO 9712, ${title}`,
  standard: "ISO 9712:2021",
  edition: "2021",
  items: [
    ...LONG.map((row) => entryItem(row, "days", long, PUBLISHED)),
    ...SHORT.map((row) => entryItem(row, "days", short, PUBLISHED)),
  ],
  notes: NOTES,
}));

const CGSB_PUBLISHED = {
  source: "pdfcoffee.com, Report form NDT experience",
  confidence: "medium",
} as const;

/** NRCan/CGSB: months of work as the level before, in the methods of each group. */
const CGSB: Preset[] = (
  [
    [1, "a trainee", "Trainee", 3, 4],
    [2, "Level 1", "Level I", 9, 12],
    [3, "Level 2", "Level II", 18, 12],
  ] as const
).map(([level, before, workedAs, long, short]) => ({
  preset: `cgsb-level-${level}`,
  title: `NRCan/CGSB, Level ${level}`,
  standard: "NRCan/CGSB",
  edition: "",
  items: [
    ...SNT_TC_1A_ROWS.map(({ row }) => {
      const months = SHORT.some(([title]) => title === row[0]) ? short : long;
      const evidence = { ...CGSB_PUBLISHED, clause: `as ${before}, of the last 10 years` };
      return { ...entryItem(row, "months", months, evidence), withinYears: 10, workedAs };
    }),
  ],
  notes: [
    `The months are those of work as ${before}, as each record says. A month counts if it has an entry, and work of more than 10 years ago does not.`,
    `${noFigures(SNT_TC_1A_ROWS.map(({ row }) => row))}, and none for training, marks and vision.`,
  ],
}));

/** The levels of each standard, with the hours of all methods. None of their figures is from a standard's own table. */
export const PRESETS: readonly Preset[] = [...SNT_TC_1A, ...NAS_410, ...ISO_9712, ...CGSB, ...IRATA, ...SPRAT];

/** The level with this name. */
export function presetNamed(name: unknown): Preset | undefined {
  return PRESETS.find(({ preset }) => preset === name);
}

/** A preset of one method and level, to be copied into a target. */
export interface TargetPreset extends Preset {
  /** The name of its level in `PRESETS`. */
  of: string;
  /** What it is among those of its level: the method, and the education if the figures depend on it. Empty for rope access. */
  choice: string;
  /** Which techniques of its method it leaves out, in words. */
  techniques: string | null;
}

/** Training, examinations and vision of a level and a method. */
type OtherParts = (row: MethodRow, college: boolean) => { items: PresetItem[]; notes: string[] };

const trainingItem = (
  row: MethodRow,
  unit: "hours" | "days",
  required: number,
  level: Level | null,
  from: Evidence,
) => {
  const [title, ...methods] = row;
  return presetItem(`${title} classroom training`, { unit, kind: "training", methods, required, level }, from);
};

const visionItem = (category: Category, withinYears: number | null, from: Evidence) =>
  presetItem(
    category === "near_vision" ? "Near vision" : "Colour vision",
    { unit: "valid", kind: "certificate", required: 1, category, withinYears },
    from,
  );

/** Hours of organized training for Level I and Level II, by method: with high school, then with two years of college. */
const SNT_TC_1A_TRAINING: Record<
  string,
  readonly [high: readonly [number, number], college: readonly [number, number]]
> = {
  PT: [
    [4, 8],
    [4, 4],
  ],
  MT: [
    [12, 8],
    [8, 4],
  ],
  RT: [
    [40, 40],
    [30, 35],
  ],
  UT: [
    [40, 40],
    [30, 40],
  ],
  ET: [
    [40, 40],
    [24, 40],
  ],
  VT: [
    [8, 16],
    [4, 8],
  ],
};
const SNT_TC_1A_SPLIT = { source: "ndtsis.com, older than 2020", confidence: "medium" } as const;
const SNT_TC_1A_SUM = {
  source: "ndtsis.com; the sums for PT, MT, RT, UT and VT agree with nde.com, 2020",
  confidence: "high",
} as const;
const SNT_TC_1A_MARKS = { source: "studylib 26270765, 2018, 8.1.5", confidence: "high" } as const;
/** The least mark of each part of the examination. */
const SNT_TC_1A_PARTS: readonly [Part, number][] = [
  ["general", 70],
  ["specific", 70],
  ["practical", 80],
];
const SNT_TC_1A_VISION = { source: "open-exam-prep.com", confidence: "medium" } as const;
const COLOUR_VISION = {
  source: "ASNT, 9712 Vision Requirements; readbag (ndtexperts); turbinemaster.com",
  confidence: "medium",
  clause: "within 5 years",
} as const;
const TOLD = {
  source: "told by a practitioner; no source was found, and the sums are those of nde.com",
  confidence: "low",
} as const;
const ALL_HOURS: Record<string, readonly [I: number, II: number]> = {
  ...{ PT: [130, 270], VT: [130, 270], MT: [130, 400], RT: [400, 1200], UT: [400, 1200], ET: [400, 1200] },
};

/** The level of a preset of a level, and the numbers of the levels that it covers: 0 is Level I. */
const COVERED: Record<string, readonly [level: Level, indexes: readonly number[]]> = {
  "snt-tc-1a-level-1": ["Level I", [0]],
  "snt-tc-1a-level-2": ["Level II", [1]],
  "snt-tc-1a-level-2-direct": ["Level II", [0, 1]],
  "iso-9712-level-1": ["Level I", [0]],
  "iso-9712-level-2": ["Level II", [1]],
  "iso-9712-level-2-direct": ["Level II", [0, 1]],
  "iso-9712-level-3-degree": ["Level III", [2]],
  "iso-9712-level-3": ["Level III", [2]],
};

function sumOf(figures: readonly number[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (figures[index] ?? 0), 0);
}

function sntParts(preset: string): OtherParts {
  const [level, indexes] = COVERED[preset] ?? ["Level I", [0]];
  const isDirect = indexes.length > 1;
  return (row, college) => {
    const [name, ...methods] = row;
    const hours = SNT_TC_1A_TRAINING[name]?.[college ? 1 : 0] ?? [];
    const total = ALL_HOURS[name] ?? [];
    const from = isDirect && !college && name !== "ET" ? SNT_TC_1A_SUM : SNT_TC_1A_SPLIT;
    const of = { kind: "certificate", methods, level, standard: "SNT-TC-1A" } as const;
    const marks = SNT_TC_1A_PARTS.map(([part, required]) =>
      presetItem(choiceLabel(part), { unit: "score", required, part, ...of }, SNT_TC_1A_MARKS),
    );
    return {
      items: [
        // Of both levels together courses of any level count.
        trainingItem(row, "hours", sumOf(hours, indexes), isDirect ? null : level, from),
        ...(isDirect && name !== "ET" ? [] : [entryItem([TOTAL, ...NDT], "hours", sumOf(total, indexes), TOLD)]),
        ...marks,
        presetItem("Composite", { unit: "average", required: 80, ...of }, SNT_TC_1A_MARKS),
        visionItem("near_vision", 1, { ...SNT_TC_1A_VISION, clause: "Jaeger 2, every year" }),
        visionItem("colour_vision", 5, COLOUR_VISION),
      ],
      notes: [
        `${NDT_NOTE} A certification is for at most 5 years.`,
        "The edition of 2006 asked for a colour vision test every year; in practice it is due every 5 years.",
      ],
    };
  };
}

/** Days of training for Level 1, 2 and 3. */
const ISO_9712_TRAINING: Record<string, readonly [number, number, number]> = {
  ...{ PT: [3, 2, 3], MT: [3, 2, 4], RT: [5, 10, 5], UT: [8, 10, 5], ET: [5, 6, 6], VT: [3, 2, 3] },
};
const ISO_9712_COURSES = {
  source: "bindt.org, News April 2024",
  confidence: "high",
  clause: "Table 1",
} as const;
const ISO_9712_VISION = { source: "ASNT, 9712 Vision Requirements", confidence: "high" } as const;

function isoParts(preset: string): OtherParts {
  const [level, indexes] = COVERED[preset] ?? [];
  return (row) => {
    const days = ISO_9712_TRAINING[row[0]];
    const training =
      days && level && indexes
        ? [trainingItem(row, "days", sumOf(days, indexes), indexes.length > 1 ? null : level, ISO_9712_COURSES)]
        : [];
    return {
      items: [
        ...training,
        visionItem("near_vision", 1, { ...ISO_9712_VISION, clause: "Jaeger 1, N4.5 or ISO 18490, every year" }),
        visionItem("colour_vision", 5, { ...ISO_9712_VISION, clause: "within 5 years" }),
      ],
      notes: [
        !days
          ? `No training was found for ${row[0]}.`
          : level
            ? "A day of training is at least 7 hours. For RT, training in radiation safety comes on top."
            : "No training was found for Level 3 without Level 2.",
        "The marks of examinations were not found: your certification body sets them.",
      ],
    };
  };
}

const NAS_410_VISION = { source: "UK NANDTB/25, 2017", confidence: "high" } as const;

/** Nobody knows its training and its marks; of its vision test the kind, and not how often. */
const nasParts: OtherParts = () => ({
  items: [
    visionItem("near_vision", null, {
      ...NAS_410_VISION,
      clause: "20/25 at 16 inches, Jaeger 1 or Tumbling E",
    }),
  ],
  notes: [
    "The hours of training, the marks of examinations and how often a vision test is due were not found: your employer sets them.",
  ],
});

const noParts: OtherParts = () => ({ items: [], notes: [] });

function otherParts({ preset }: Preset): OtherParts {
  if (preset.startsWith("snt")) return sntParts(preset);
  if (preset.startsWith("iso")) return isoParts(preset);
  return preset.startsWith("nas") ? nasParts : noParts;
}

const EDUCATIONS = [
  { isCollege: false, name: "high school", suffix: "" },
  { isCollege: true, name: "two years of college", suffix: "-college" },
];

const TOTAL = "Total NDT experience";

/** `UT` of a table as a target's figure: `UT experience`. */
function experienceTitle({ title }: PresetItem): string {
  const [method, ...rest] = title.split(", ");
  return rest[0] === "all NDT hours" ? TOTAL : [`${method} experience`, ...rest].join(", ");
}

/** The presets of a level: one for each of its methods, and for each education if the training depends on it. */
function byMethod(level: Preset): TargetPreset[] {
  const { preset, title, items, notes } = level;
  if (items.every(({ methods }) => methods.length === 0))
    return [{ ...level, of: preset, choice: "", techniques: null }];
  const parts = otherParts(level);
  const rows = items.filter(({ title }) => !title.endsWith("all NDT hours"));
  const educations = preset.startsWith("snt") ? EDUCATIONS : EDUCATIONS.slice(0, 1);
  return rows.flatMap((row) =>
    educations.map(({ isCollege, name, suffix }): TargetPreset => {
      const [methodRow] = row.title.split(",") as [string];
      const others = parts([methodRow, ...(row.methods as Method[])], isCollege);
      const own = items.filter((item) => item === row || item.title === `${row.title}, all NDT hours`);
      const choice = educations.length > 1 ? `${row.title}, ${name}` : row.title;
      const [first = "", ...rest] = title.split(", ");
      const techniques = techniquesText(row, level.standard);
      return {
        ...level,
        preset: `${preset}-${row.title.toLowerCase().replaceAll(/\W+/g, "-")}${suffix}`,
        title: [first, row.title, ...rest, ...(educations.length > 1 ? [name] : [])].join(", "),
        items: [
          ...others.items.filter(({ kind }) => isCourse(kindNamed(kind))),
          ...own.map((item) => ({ ...item, title: experienceTitle(item) })),
          ...others.items.filter(({ kind }) => !isCourse(kindNamed(kind))),
        ],
        notes: [
          ...(techniques ? [techniques] : []),
          ...notes.filter((note) => !note.startsWith("RT has two figures")),
          ...others.notes,
        ],
        of: preset,
        choice,
        techniques,
      };
    }),
  );
}

/** What a target can be copied from: one standard, method and level, and education where figures depend on it. */
export const TARGET_PRESETS: readonly TargetPreset[] = PRESETS.flatMap(byMethod);

export function targetPresetNamed(name: unknown): TargetPreset | undefined {
  return TARGET_PRESETS.find(({ preset }) => preset === name);
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
export function targetFromPreset({ title, standard, edition, items, notes }: Preset) {
  const sentences = sourcesOf(items).map(
    ({ source, confidence, titles }) => `${titles.join("; ")}: ${source} (${confidence} confidence).`,
  );
  return {
    title,
    standard,
    edition,
    source: [...sentences, ...notes].join(" "),
    since: null,
    items: items.map(({ source: _source, confidence: _confidence, ...item }) => item),
  };
}

/** The presets as `GET /api/target-presets` shows them: figures in hours, days, months and marks. */
export function shownPresets() {
  return TARGET_PRESETS.map(({ items, of: _of, choice: _choice, techniques: _techniques, ...preset }) => ({
    ...preset,
    notice: NOTICE,
    items: items.map(shownItem),
  }));
}
