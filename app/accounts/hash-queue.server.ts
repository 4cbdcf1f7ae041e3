import { AppError } from "#app/errors.ts";

/** How many requests may wait for a hash. At 0.2 s a hash the last of them waits about 15 s. */
const MAX_WAITING = 60;

/** How often a request checks whether it is next, in milliseconds. */
const POLL_MS = 10;

/**
 * The pause before each hash: so many turns of the event loop, of so many milliseconds each. One long pause may end on a
 * busy machine before the runtime has read from any connection.
 */
const YIELD = { turns: 5, ms: 2 };

/** A request that has not checked for this long, in milliseconds, was abandoned. Longer than a hash blocks the thread. */
const ABANDONED_AFTER_MS = 3_000;

const waiting = new Map<number, number>();
let lastNumber = 0;

/**
 * Runs a hash after all hashes that were queued before it, with a pause for other requests. workerd has one thread: sixty
 * hashes in a row would stop every other request for 12 s.
 *
 * In workerd a request must not await a promise of another request, and the timers of a request end silently when its
 * client disconnects. So each request polls with its own timers, and is removed when it has stopped polling.
 * @throws {AppError} 429 if the queue is full
 */
export async function queueHash<T>(hash: () => Promise<T>): Promise<T> {
  removeAbandoned();
  if (waiting.size >= MAX_WAITING) {
    throw new AppError(429, "Too many people are logging in at the moment. Please try again in a minute.");
  }
  lastNumber += 1;
  const number = lastNumber;
  try {
    while (!isNext(number)) await pause(POLL_MS);
    for (let turn = 0; turn < YIELD.turns; turn += 1) await pause(YIELD.ms);
    return await hash();
  } finally {
    waiting.delete(number);
  }
}

/** Whether no earlier request is waiting. Records that this one has checked. */
function isNext(number: number): boolean {
  removeAbandoned();
  waiting.set(number, Date.now());
  return Math.min(...waiting.keys()) === number;
}

function removeAbandoned(): void {
  const now = Date.now();
  // In both directions: a clock that is set back must not keep an abandoned request in the queue.
  for (const [number, seen] of waiting) if (Math.abs(now - seen) > ABANDONED_AFTER_MS) waiting.delete(number);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
