// Decides the interleaving of concurrent requests. Every request of a race stops before and after each of its D1 calls;
// whenever all of them have stopped, a random number generator picks the one that continues to its next stop. So a seed
// is one interleaving, the same in every run, and every interleaving of whole D1 calls is possible.

/** @type {Map<string, Race>} */
const races = new Map();

/**
 * How often a request that has stopped looks whether it may continue. No request wakes another one: of a promise that another
 * request resolves, workerd sometimes lost the continuation, and the race never ended: each run of 100 seeds hung.
 */
const LOOK_AGAIN_MS = 2;

/** The gate of a request that is not in a race. */
const OPEN = { pause: async () => {}, end: () => {} };

/**
 * Returns the gate of a request. `x-race: {name} {size} {number} {seed}` makes it one of `size` concurrent requests,
 * which start together.
 * @param {Request} request
 */
export function gateOf(request) {
  const [name, size, number, seed] = (request.headers.get("x-race") ?? "").split(" ");
  if (!name) return OPEN;
  const race = races.get(name) ?? new Race(Number(size), Number(seed));
  races.set(name, race);
  return {
    pause: () => race.stop(Number(number)),
    end() {
      race.leave(Number(number));
      if (race.size === 0) races.delete(name);
    },
  };
}

class Race {
  /** The requests that have stopped at a gate, by number. */
  stopped = new Set();
  /** Those that have their response. The work behind it is not part of the race. */
  ended = new Set();
  /** The request that may continue, if any. */
  chosen = null;
  /** @param {number} size @param {number} seed */
  constructor(size, seed) {
    this.size = size;
    this.random = randomFrom(seed);
  }

  async stop(number) {
    if (this.ended.has(number)) return;
    if (this.chosen === number) this.chosen = null;
    this.stopped.add(number);
    this.choose();
    while (this.chosen !== number && !this.ended.has(number)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    this.stopped.delete(number);
  }

  leave(number) {
    this.size -= 1;
    this.ended.add(number);
    this.stopped.delete(number);
    if (this.chosen === number) this.chosen = null;
    this.choose();
  }

  choose() {
    if (this.chosen !== null || this.size === 0 || this.stopped.size < this.size) return;
    const inOrder = [...this.stopped].sort((one, other) => one - other);
    this.chosen = inOrder[Math.floor(this.random() * inOrder.length)];
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
