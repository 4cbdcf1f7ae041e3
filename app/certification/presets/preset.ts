import type { TargetItem } from "#app/certification/targets.table.ts";
import type { Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";

/** How reliable a figure is: no source is the standard's own table. */
export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A figure, where it was found, and how reliable that is. `required` is in hundredths of the unit. */
export interface PresetItem extends TargetItem {
  source: string;
  confidence: Confidence;
}

/** The figures of a standard for one level, of one method or of all. */
export interface Preset {
  /** Its name in `POST /api/targets`. */
  preset: string;
  title: string;
  standard: string;
  /** Of the standard, as far as the sources name one. */
  edition: string;
  items: PresetItem[];
  /** What the standard or the app has and the preset does not, and assumptions. */
  notes: string[];
}

/** On every preset and target: SNT-TC-1A is a recommendation, and a standard is applied by an employer. */
export const NOTICE = "Your employer's written practice decides.";

/** The NDT methods of the app that a row of a standard's table covers. */
export type MethodRow = readonly [title: string, ...methods: Method[]];

export interface Evidence {
  source: string;
  confidence: Confidence;
  clause?: string;
}

/** A figure of a preset. What is not told of a record need not be so. */
export function presetItem(
  title: string,
  figure: Pick<TargetItem, "unit" | "kind" | "required"> & Partial<TargetItem>,
  { source, confidence, clause = "" }: Evidence,
): PresetItem {
  return {
    ...{ title, clause, methods: [], category: null, part: null, level: null, withinYears: null },
    ...{ workedAs: null, standard: null },
    ...figure,
    ...{ required: 100 * figure.required, source, confidence },
  };
}

/** A figure for OJT entries with some methods. */
export function entryItem(
  [title, ...methods]: MethodRow,
  unit: TargetItem["unit"],
  required: number,
  evidence: Evidence,
): PresetItem {
  return presetItem(title, { unit, kind: entryKind.name, methods, required }, evidence);
}
