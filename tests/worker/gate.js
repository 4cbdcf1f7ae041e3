// Decides the interleaving of concurrent requests. Every request of a race stops before and after each of its D1 calls;
// whenever all of them have stopped, a random number generator picks the one that continues to its next stop. So a seed
// is one interleaving, the same in every run, and every interleaving of whole D1 calls is possible.
// The requests of a race arrive together (transport.ts): workerd sometimes loses the continuation of a promise that another
// request resolves. Requests that each looked at a timer whether they may go on took half of a race's time.

/** The gate of a request that is not in a race. */
export const OPEN = { pause: async () => {}, end: () => {} };

/** Concurrent requests, which start together. */
export class Race {
  /** How each request that has stopped at a gate goes on, by its number. Work behind a response may stop beside it. */
  stopped = new Map();
  /** Those that have their response. The work behind it is not part of the race. */
  ended = new Set();
  /** The request that may continue, if any. */
  chosen = null;
  /** @param {number} size @param {number} seed */
  constructor(size, seed) {
    this.size = size;
    this.random = randomFrom(seed);
  }

  /** Returns the gate of the request with this number. */
  gateOf(number) {
    return { pause: () => this.stop(number), end: () => this.leave(number) };
  }

  async stop(number) {
    if (this.ended.has(number)) return;
    if (this.chosen === number) this.chosen = null;
    await new Promise((goOn) => {
      this.stopped.set(number, [...(this.stopped.get(number) ?? []), goOn]);
      this.choose();
    });
  }

  leave(number) {
    this.size -= 1;
    this.ended.add(number);
    this.release(number);
    if (this.chosen === number) this.chosen = null;
    this.choose();
  }

  choose() {
    if (this.chosen !== null || this.size === 0 || this.stopped.size < this.size) return;
    const inOrder = [...this.stopped.keys()].sort((one, other) => one - other);
    this.chosen = inOrder[Math.floor(this.random() * inOrder.length)];
    this.release(this.chosen);
  }

  release(number) {
    const all = this.stopped.get(number) ?? [];
    this.stopped.delete(number);
    for (const goOn of all) goOn();
  }
}

/** Generates numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
