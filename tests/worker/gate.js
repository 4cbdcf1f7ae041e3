// Decides the interleaving of concurrent requests. Every request of a race stops before and after each of its D1 calls;
// whenever all of them have stopped, a random number generator picks the one that continues to its next stop. So a seed
// is one interleaving, the same in every run, and every interleaving of whole D1 calls is possible.

/** @type {Map<string, Race>} */
const races = new Map();

const LOOK_AGAIN_MS = 50;

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
  /** The requests that have stopped at a gate, by number, each with what lets it continue. */
  standing = new Map();
  /** The request that may continue, if any. */
  chosen = null;
  /** @param {number} size @param {number} seed */
  constructor(size, seed) {
    this.size = size;
    this.random = randomFrom(seed);
  }

  async stop(number) {
    if (this.chosen === number) this.chosen = null;
    const called = new Promise((resolve) => this.standing.set(number, resolve));
    this.choose();
    // workerd ends a request that waits for nothing but another one, so each has a timer of its own too.
    while (this.chosen !== number) {
      let timer;
      await Promise.race([called, new Promise((resolve) => (timer = setTimeout(resolve, LOOK_AGAIN_MS)))]);
      clearTimeout(timer);
    }
    this.standing.delete(number);
  }

  leave(number) {
    this.size -= 1;
    if (this.chosen === number) this.chosen = null;
    this.choose();
  }

  choose() {
    if (this.chosen !== null || this.size === 0 || this.standing.size < this.size) return;
    const inOrder = [...this.standing.keys()].sort((one, other) => one - other);
    this.chosen = inOrder[Math.floor(this.random() * inOrder.length)];
    this.standing.get(this.chosen)();
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
