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
  /** The message to a request that may not wait, or no longer. */
  refusal: string;
}

/** The place of a request that is at work. */
export interface Place {
  /** Ends the turn; without that it ends with the client's connection, or after `abandonedMs`. */
  end(): void;
  /** Counts the request for another key, which was not known when it entered. */
  belongTo(key: string): void;
}

interface Ticket {
  number: number;
  key: string;
  /** The most requests of its key that may be at work with it. */
  atOnceForOne: number;
  /** The ticket of the earlier round is first, then the one that came first. */
  round: number;
  isAtWork: boolean;
  /** When the request last gave a sign. */
  seen: number;
  /** Whether its request has left, or lost its place to another key. */
  hasLeft: boolean;
}

/**
 * Work of which only so much is done at once; the rest waits, and too many are refused. A key's first request comes in the
 * round that is being served, its second one in the next: so a key with many waiting requests delays another key by one of them.
 * For the same reason a key without a place gets the last place of the key that has most, if all are taken.
 *
 * In workerd a request must not await a promise of another request, and the timers of a request end silently when its
 * client disconnects. So each request polls with its own timers. Its place is free again when its signal reports the
 * disconnection, or when it gives no more sign.
 */
export class TurnQueue {
  readonly #limits: Limits;
  readonly #tickets = new Map<number, Ticket>();
  #lastNumber = 0;
  /** The round of the request that began last. */
  #round = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn. `signal` is the request's; `atOnceForOne` is the limit for this key, if it is another one.
   * @throws {AppError} 429 if too many wait, in all or with this key, or if the wait is too long
   */
  async enter(key: string, signal?: AbortSignal, atOnceForOne = this.#limits.atOnceForOne): Promise<Place> {
    const { waitMs, refusal } = this.#limits;
    this.#makeRoom(key);
    const ticket = this.#ticketFor(key, atOnceForOne);
    const leave = () => {
      signal?.removeEventListener("abort", leave);
      this.#remove(ticket);
    };
    signal?.addEventListener("abort", leave);
    const start = performance.now();
    while (!this.#isNext(ticket)) {
      // On a busy thread a poll takes longer than its pause.
      if (ticket.hasLeft || performance.now() - start >= waitMs) {
        leave();
        throw new AppError("busy", refusal);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      ticket.seen = Date.now();
      if (!ticket.hasLeft) this.#tickets.set(ticket.number, ticket); // again, if a clock that jumped has removed it
    }
    ticket.isAtWork = true;
    this.#round = Math.max(this.#round, ticket.round);
    return {
      end: leave,
      belongTo: (owner) => {
        ticket.key = owner;
      },
    };
  }

  /** @throws {AppError} 429 if there is no place for this key */
  #makeRoom(key: string): void {
    const { places, placesForOne, refusal } = this.#limits;
    this.#removeAbandoned();
    const ofOne = this.#of(key).length;
    if (ofOne < placesForOne && this.#tickets.size < places) return;
    const last = ofOne === 0 ? this.#lastOfMost() : undefined;
    if (!last) throw new AppError("busy", refusal);
    this.#remove(last);
  }

  /** The last waiting ticket of the key that has most, if that has several. */
  #lastOfMost(): Ticket | undefined {
    const counts = new Map<string, number>();
    for (const { key } of this.#tickets.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const most = Math.max(...counts.values());
    if (most < 2) return undefined;
    return [...this.#tickets.values()].findLast(({ key, isAtWork }) => !isAtWork && counts.get(key) === most);
  }

  #ticketFor(key: string, atOnceForOne: number): Ticket {
    this.#lastNumber += 1;
    const round = Math.max(this.#round, ...this.#of(key).map((ticket) => ticket.round + 1));
    const state = { isAtWork: false, seen: Date.now(), hasLeft: false };
    const ticket = { number: this.#lastNumber, key, atOnceForOne, round, ...state };
    this.#tickets.set(ticket.number, ticket);
    return ticket;
  }

  /** Whether a request is the first of those that may begin. */
  #isNext(ticket: Ticket): boolean {
    this.#removeAbandoned();
    const all = [...this.#tickets.values()];
    if (ticket.hasLeft || all.filter(({ isAtWork }) => isAtWork).length >= this.#limits.atOnce) return false;
    const isFree = ({ key, isAtWork, atOnceForOne }: Ticket) =>
      !isAtWork && this.#of(key).filter((one) => one.isAtWork).length < atOnceForOne;
    const [first] = all.filter(isFree).sort((one, other) => one.round - other.round || one.number - other.number);
    return first === ticket;
  }

  #of(key: string): Ticket[] {
    return [...this.#tickets.values()].filter((ticket) => ticket.key === key);
  }

  #remove(ticket: Ticket): void {
    ticket.hasLeft = true;
    this.#tickets.delete(ticket.number);
  }

  #removeAbandoned(): void {
    const now = Date.now();
    for (const { number, seen } of this.#tickets.values()) {
      // In both directions: a clock that is set back must not keep an abandoned request in the queue.
      if (Math.abs(now - seen) > this.#limits.abandonedMs) this.#tickets.delete(number);
    }
  }
}
