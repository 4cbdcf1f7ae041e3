import type { Metric } from "./exposition.ts";

/** When the timer's work last succeeded, and how often it failed. */
export class Sweeps {
  /** In milliseconds since 1970; at first the start, so that a timer that never runs is noticed too. */
  #lastSuccess: number | null = null;
  #errors = 0;

  /** Runs the work of one minute. @throws what it throws */
  async run(work: () => Promise<unknown>): Promise<void> {
    this.begin();
    try {
      await work();
      this.#lastSuccess = Date.now();
    } catch (error) {
      this.#errors += 1;
      throw error;
    }
  }

  /** Counts the time without a sweep from here on, if none has run. */
  begin(): void {
    this.#lastSuccess ??= Date.now();
  }

  metrics(): Metric[] {
    this.begin();
    return [
      {
        name: "hourstracker_sweep_age_seconds",
        type: "gauge",
        help: "Time since the timer's work last succeeded, or since the start.",
        samples: [{ value: secondsSince(this.#lastSuccess ?? Date.now()) }],
      },
      {
        name: "hourstracker_sweep_errors_total",
        type: "counter",
        help: "How often the timer's work has failed since the start.",
        samples: [{ value: this.#errors }],
      },
    ];
  }
}

/** The time since a moment in milliseconds since 1970, never below 0: the clock may have been set back. */
export function secondsSince(moment: number): number {
  return Math.max(0, Date.now() - moment) / 1000;
}
