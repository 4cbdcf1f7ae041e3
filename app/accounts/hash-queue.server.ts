import { AppError } from "#app/errors.ts";

/** How many requests may wait for a hash. At 0.2 s a hash the last of them waits about 15 s. */
const MAX_WAITING = 60;

/** How often a request looks whether it is next, in milliseconds. */
const LOOK_AGAIN = 10;

/**
 * Before each hash the thread is free for as many turns of the event loop, each so long, in milliseconds: turns, because
 * on a busy machine one long pause may be over before the runtime has read from a single connection.
 */
const REST = { turns: 5, ms: 2 };

/** A request that has not looked for so long, in milliseconds, has hung up. It is longer than a hash blocks the thread. */
const PATIENCE = 3_000;

/** Who waits: the number that each drew, and when it looked last. */
const waiting = new Map<number, number>();
let lastNumber = 0;

/**
 * Runs a hash when all hashes that were asked for before are done, and leaves the thread free for other requests before
 * it. workerd has one thread: sixty hashes on end would stop every other request for 12 s.
 *
 * A request of workerd must not wait for what another one does, and where a client hangs up its timers just end: nobody is
 * told. So each waits by timers of its own, and is forgotten when it has not looked for a while.
 * @throws {AppError} 429 where too many wait already
 */
export async function queueHash<T>(hash: () => Promise<T>): Promise<T> {
  forgetWhoHungUp();
  if (waiting.size >= MAX_WAITING) {
    throw new AppError(429, "Too many people are logging in at the moment. Please try again in a minute.");
  }
  lastNumber += 1;
  const number = lastNumber;
  try {
    while (!isNext(number)) await pause(LOOK_AGAIN);
    for (let turn = 0; turn < REST.turns; turn += 1) await pause(REST.ms);
    return await hash();
  } finally {
    waiting.delete(number);
  }
}

/** Whether nobody who came earlier still waits. Notes that this one does. */
function isNext(number: number): boolean {
  forgetWhoHungUp();
  waiting.set(number, Date.now());
  return Math.min(...waiting.keys()) === number;
}

function forgetWhoHungUp(): void {
  const now = Date.now();
  // Either way: a clock that is set back must not keep somebody in the queue who has gone.
  for (const [number, seen] of waiting) if (Math.abs(now - seen) > PATIENCE) waiting.delete(number);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
