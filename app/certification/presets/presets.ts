import { shownItem } from "#app/certification/shown-target.ts";
import { ISO_9712 } from "./iso-9712.ts";
import { NAS_410 } from "./nas-410.ts";
import { NOTICE, type Preset } from "./preset.ts";
import { IRATA, SPRAT } from "./rope-access.ts";
import { SNT_TC_1A } from "./snt-tc-1a.ts";

/** All presets, in the order in which they are offered. None of their figures is from a standard's own table. */
export const PRESETS: readonly Preset[] = [...SNT_TC_1A, ...NAS_410, ...ISO_9712, ...IRATA, ...SPRAT];

export function presetNamed(name: unknown): Preset | undefined {
  return PRESETS.find(({ preset }) => preset === name);
}

/** A target with the figures of a preset; its source says of each figure where it is from, and what is left out. */
export function targetFromPreset({ title, standard, items, notes }: Preset) {
  return {
    title,
    standard,
    source: sourceOf({ items, notes }),
    since: null,
    items: items.map(({ source: _source, confidence: _confidence, ...item }) => item),
  };
}

/** Where the figures come from and how reliable that is, one sentence for each source, and the preset's notes. */
export function sourceOf({ items, notes }: Pick<Preset, "items" | "notes">): string {
  const sources = new Map<string, string[]>();
  for (const { title, source, confidence } of items) {
    const found = `${source} (${confidence} confidence)`;
    sources.set(found, [...(sources.get(found) ?? []), title]);
  }
  const sentences =
    sources.size === 1
      ? [...sources.keys()].map((found) => `Source: ${found}.`)
      : [...sources].map(([found, titles]) => `${titles.join("; ")}: ${found}.`);
  return [...sentences, ...notes].join(" ");
}

/** The presets as `GET /api/target-presets` shows them: figures in hours, days and months. */
export function shownPresets() {
  return PRESETS.map(({ items, ...preset }) => ({ ...preset, notice: NOTICE, items: items.map(shownItem) }));
}
