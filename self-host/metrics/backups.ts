import type { Metric } from "./exposition.ts";
import { secondsSince } from "./sweeps.ts";

/** What is known of backups, by place. */
export interface BackupState {
  /** When the last backup was taken; null if none is known. */
  last(): Promise<Record<string, Date | null>>;
  failedAttempts(): Record<string, number>;
}

/** The age of the last backup of each place: `download` is GET /backup since the start. */
export async function backupAges({ last }: BackupState): Promise<Metric[]> {
  return [
    {
      name: "hourstracker_backup_age_seconds",
      type: "gauge",
      help: "Time since the last backup, by its place; missing where none is known.",
      samples: Object.entries(await last()).flatMap(([place, taken]) =>
        taken ? [{ labels: { place }, value: secondsSince(taken.getTime()) }] : [],
      ),
    },
  ];
}

/** Separate, because it is also known while a place cannot be read. */
export function backupFailures({ failedAttempts }: BackupState): Metric {
  return {
    name: "hourstracker_backup_failed_attempts",
    type: "gauge",
    help: "Attempts at the nightly backup that have failed in a row, by its place.",
    samples: Object.entries(failedAttempts()).map(([place, value]) => ({ labels: { place }, value })),
  };
}
