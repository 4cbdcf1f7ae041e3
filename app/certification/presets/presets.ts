import { shownItem } from "#app/certification/shown-target.ts";
import { ISO_9712 } from "./iso-9712.ts";
import { NAS_410 } from "./nas-410.ts";
import { type Confidence, NOTICE, type Preset, type PresetItem } from "./preset.ts";
import { IRATA, SPRAT } from "./rope-access.ts";
import { SNT_TC_1A } from "./snt-tc-1a.ts";

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
