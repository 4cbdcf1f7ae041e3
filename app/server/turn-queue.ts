import { AppError } from "#app/errors.ts";

/** How often a request checks whether it is next, in milliseconds. */
const POLL_MS = 10;

interface Limits {
  /** How much work is done at once, and how much of it for one key. */
  atOnce: number;
  atOnceForOne: number;
  /** How many requests may be at work or wait, how many of them with one key, and how long each may wait, in milliseconds. */
  places: number;
  placesForOne: number;
  waitMs: number;
  /** After this time in milliseconds without a sign of a request, waiting or at work, its client has gone. */
  abandonedMs: number;
  /** What a request is told that may not wait, or not any longer. */
  refusal: string;
}

/** The place of a request that is at work. */
export interface Place {
  /** Ends the turn; without that it ends after `abandonedMs`. */
  end(): void;
  /**
   * Counts the request for another key, too, which it did not know when it entered.
   * @throws {AppError} 429 if as much for that key is at work already. Then the turn has ended
   */
  belongTo(key: string): void;
}

interface Ticket {
  /** The key that it entered with, and the one that it belongs to since. */
  keys: string[];
  isAtWork: boolean;
  /** When the request last gave a sign. */
  seen: number;
}

/**
 * Work of which only so much is done at once; the rest waits in the order of its requests, and too many are refused.
 *
 * In workerd a request must not await a promise of another request, and the timers of a request end silently when its
 * client disconnects. So each request polls with its own timers, and its place is free again when it gives no more sign.
 */
export class TurnQueue {
  readonly #limits: Limits;
  readonly #tickets = new Map<number, Ticket>();
  #lastNumber = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn.
   * @throws {AppError} 429 if too many wait, in all or with this key, or if the wait is too long
   */
  async enter(key: string): Promise<Place> {
    const { places, placesForOne, waitMs, refusal, atOnceForOne } = this.#limits;
    this.#removeAbandoned();
    const ofOne = this.#count(({ keys }) => keys.includes(key));
    if (this.#tickets.size >= places || ofOne >= placesForOne) throw new AppError("busy", refusal);
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const ticket: Ticket = { keys: [key], isAtWork: false, seen: Date.now() };
    this.#tickets.set(number, ticket);
    const leave = () => {
      this.#tickets.delete(number);
    };
    const start = performance.now();
    while (!this.#isNext(number)) {
      // On a busy thread a poll takes longer than its pause.
      if (performance.now() - start >= waitMs) {
        leave();
        throw new AppError("busy", refusal);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      ticket.seen = Date.now();
      this.#tickets.set(number, ticket); // again, if a clock that jumped has removed it
    }
    ticket.isAtWork = true;
    return {
      end: leave,
      belongTo: (owner) => {
        ticket.keys.push(owner);
        if (this.#atWorkFor(owner) <= atOnceForOne) return;
        leave();
        throw new AppError("busy", refusal);
      },
    };
  }

  /** Whether a request is the first of those that may begin. */
  #isNext(number: number): boolean {
    this.#removeAbandoned();
    const { atOnce, atOnceForOne } = this.#limits;
    if (this.#count(({ isAtWork }) => isAtWork) >= atOnce) return false;
    const isFree = ({ keys, isAtWork }: Ticket) =>
      !isAtWork && keys.every((key) => this.#atWorkFor(key) < atOnceForOne);
    const free = [...this.#tickets].filter(([, ticket]) => isFree(ticket)).map(([first]) => first);
    return Math.min(...free) === number;
  }

  #atWorkFor(key: string): number {
    return this.#count(({ keys, isAtWork }) => isAtWork && keys.includes(key));
  }

  #count(isCounted: (ticket: Ticket) => boolean): number {
    let count = 0;
    for (const ticket of this.#tickets.values()) if (isCounted(ticket)) count += 1;
    return count;
  }

  #removeAbandoned(): void {
    const now = Date.now();
    for (const [number, { seen }] of this.#tickets) {
      // In both directions: a clock that is set back must not keep an abandoned request in the queue.
      if (Math.abs(now - seen) > this.#limits.abandonedMs) this.#tickets.delete(number);
    }
  }
}
