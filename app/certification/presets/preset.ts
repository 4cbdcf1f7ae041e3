import type { TargetItem } from "#app/certification/targets.table.ts";
import type { Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";

/** How reliable a figure is: no source is the standard's own table. */
export type Confidence = "high" | "medium";

/** A figure, where it was found, and how reliable that is. `required` is in hundredths of the unit. */
export interface PresetItem extends TargetItem {
  source: string;
  confidence: Confidence;
}

/** The figures of a standard for one level, to be copied into a target. */
export interface Preset {
  /** Its name in `POST /api/targets`. */
  preset: string;
  title: string;
  standard: string;
  items: PresetItem[];
  /** What the standard or the app has and the preset does not, and assumptions. */
  notes: string[];
}

/** On every preset and target: SNT-TC-1A is a recommendation, and a standard is applied by an employer. */
export const NOTICE = "Your employer's written practice decides.";

/** The NDT methods of the app that a row of a standard's table covers. */
export type MethodRow = readonly [title: string, ...methods: Method[]];

interface Evidence {
  source: string;
  confidence: Confidence;
  clause?: string;
}

/** A figure for OJT entries with some methods. */
export function entryItem(
  [title, ...methods]: MethodRow,
  unit: TargetItem["unit"],
  required: number,
  { source, confidence, clause = "" }: Evidence,
): PresetItem {
  return { title, clause, unit, kind: entryKind.name, methods, required: 100 * required, source, confidence };
}

/** A figure for rope hours. */
export function ropeItem(
  title: string,
  unit: "hours" | "months",
  required: number,
  { source, confidence, clause = "" }: Evidence,
): PresetItem {
  return { title, clause, unit, kind: ropeHoursKind.name, methods: [], required: 100 * required, source, confidence };
}
