import { TurnQueue } from "#app/server/turn-queue.ts";

/**
 * The pause before each hash: so many turns of the event loop, of so many milliseconds each. One long pause may end on a
 * busy machine before the runtime has read from any connection.
 */
const YIELD = { turns: 5, ms: 2 };

const queue = new TurnQueue({
  atOnce: 1,
  atOnceForOne: 1,
  places: 60, // at 0.2 s a hash the last of them waits about 15 s
  waitMs: Number.POSITIVE_INFINITY,
  abandonedMs: 3_000, // longer than a hash blocks the thread
  refusal: "Too many people are logging in at the moment. Please try again in a minute.",
});

/**
 * Runs a hash after all hashes that were queued before it, with a pause for other requests. workerd has one thread: sixty
 * hashes in a row would stop every other request for 12 s.
 * @throws {AppError} 429 if the queue is full
 */
export async function queueHash<T>(hash: () => Promise<T>): Promise<T> {
  const leave = await queue.enter();
  try {
    for (let turn = 0; turn < YIELD.turns; turn += 1) await new Promise((resolve) => setTimeout(resolve, YIELD.ms));
    return await hash();
  } finally {
    leave();
  }
}
