import type { RateLimiter } from "./env.ts";

/** The most keys that are counted: about 2 MB. */
const MAX_KEYS = 10_000;

/**
 * Cloudflare's rate limiting binding in the memory of one process: at most `max` requests for each key in each period.
 * Periods follow the clock, so a clock that jumps only starts a new period.
 */
export class MemoryLimiter implements RateLimiter {
  readonly #max: number;
  readonly #milliseconds: number;
  /** Recent counts, and older ones: with too many keys, those not seen for longest are dropped. */
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

  /** The number of keys counted now. */
  get size(): number {
    return this.#counts.size + this.#before.size;
  }
}
