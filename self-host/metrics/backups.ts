import type { Metric } from "./exposition.ts";
import { secondsSince } from "./sweeps.ts";

/** When the last backup of each place was taken; null or undefined if none is known. */
export type LastBackups = Record<string, Date | null | undefined>;

/** The age of the last backup of each place: `download` is GET /backup since the start. */
export function backupMetrics(last: LastBackups): Metric[] {
  return [
    {
      name: "hours_tracker_backup_age_seconds",
      type: "gauge",
      help: "Time since the last backup, by its place; missing where none is known.",
      samples: Object.entries(last).flatMap(([place, taken]) =>
        taken ? [{ labels: { place }, value: secondsSince(taken.getTime()) }] : [],
      ),
    },
  ];
}
