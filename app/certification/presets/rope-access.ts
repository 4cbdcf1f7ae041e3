import { type Confidence, type Preset, ropeItem } from "./preset.ts";

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

export const IRATA: Preset[] = [
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

export const SPRAT: Preset[] = [
  sprat("sprat-level-2", "Level I to Level II", "Level I"),
  sprat("sprat-level-3", "Level II to Level III", "Level II"),
];
