import type { RateLimiter } from "./env.ts";

/** So many keys are counted at most: about 2 MB, however many networks there are. */
const MAX_KEYS = 10_000;

/**
 * What Cloudflare's rate limiting binding does, in the memory of one process: of each key `max` requests in each period
 * of so many seconds. Periods are those of the clock, so a clock that jumps only begins another one.
 */
export class MemoryLimiter implements RateLimiter {
  readonly #max: number;
  readonly #milliseconds: number;
  /** What was counted lately, and before that: of too many keys those go that have not come for longest. */
  #counts = new Map<string, number>();
  #before = new Map<string, number>();
  #period = Number.NaN;

  constructor(max: number, seconds: number) {
    this.#max = max;
    this.#milliseconds = seconds * 1000;
  }

  async limit({ key }: { key: string }): Promise<{ success: boolean }> {
    const period = Math.floor(Date.now() / this.#milliseconds);
    if (period !== this.#period) {
      this.#period = period;
      this.#counts = new Map();
      this.#before = new Map();
    }
    const count = (this.#counts.get(key) ?? this.#before.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (this.#counts.size >= MAX_KEYS / 2) {
      this.#before = this.#counts;
      this.#counts = new Map();
    }
    return { success: count <= this.#max };
  }

  /** How many keys are counted now. */
  get size(): number {
    return this.#counts.size + this.#before.size;
  }
}
