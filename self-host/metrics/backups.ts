import type { Metric } from "./exposition.ts";
import { secondsSince } from "./sweeps.ts";

/** When the last backup was taken. */
class Backups {
  /** In milliseconds since 1970; null if this program knows of none. */
  #last: number | null = null;

  taken(): void {
    this.#last = Date.now();
  }

  metrics(): Metric[] {
    return [
      {
        name: "hours_tracker_backup_age_seconds",
        type: "gauge",
        help: "Time since the last backup; missing if there is none.",
        samples: this.#last === null ? [] : [{ value: secondsSince(this.#last) }],
      },
    ];
  }
}

export const backups = new Backups();
