// Decides the order in which requests that race get on. Every racer stops before and after each of its D1 calls, and
// whenever all of them stand, a generator of random numbers picks the one that may go to its next stop. So one seed is
// one interleaving, the same at every run, and any interleaving of whole D1 calls can come.

/** @type {Map<string, Race>} */
const races = new Map();

/** What a request outside of any race has in a gate's place. */
const OPEN = { pause: async () => {}, end: () => {} };

/**
 * The gate of a request. `x-race: {name} {size} {number} {seed}` makes it one of so many racers; they start together.
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
  /** Who stands at a gate, by number. */
  standing = new Set();
  /** Who may go, if anybody. */
  chosen = null;
  /** @param {number} size @param {number} seed */
  constructor(size, seed) {
    this.size = size;
    this.random = randomFrom(seed);
  }

  async stop(number) {
    if (this.chosen === number) this.chosen = null;
    this.standing.add(number);
    this.choose();
    // Each waits by a timer of its own: a request of workerd must not hang on what another one does.
    while (this.chosen !== number) await new Promise((resolve) => setTimeout(resolve, 1));
    this.standing.delete(number);
  }

  leave(number) {
    this.size -= 1;
    if (this.chosen === number) this.chosen = null;
    this.choose();
  }

  choose() {
    if (this.chosen !== null || this.size === 0 || this.standing.size < this.size) return;
    const inOrder = [...this.standing].sort((one, other) => one - other);
    this.chosen = inOrder[Math.floor(this.random() * inOrder.length)];
  }
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
