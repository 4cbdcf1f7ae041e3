import { AppError } from "#app/errors.ts";

/** The number of attempts of an operation that conflicts with other requests: about 5 seconds, waits included. */
export const ATTEMPTS = 12;

/** The longest wait after the first attempt, in milliseconds. It doubles after each attempt up to `LONGEST_WAIT`. */
const FIRST_WAIT = 10;
const LONGEST_WAIT = 1_000;

/**
 * Runs `work`, which reads and then writes, until it returns a result: null means that what it read has changed since. It is
 * retried after a pause, up to `attempts` times. It gets the number of the attempt, from 1: the first may use what the request
 * has read already, the others read again.
 * @throws {TooManyConflictsError} 409 if every attempt had a conflict
 */
export async function retryWhileNull<Result>(
  work: (attempt: number) => Promise<Result | null>,
  attempts = ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await backOff(attempt - 1);
    const result = await work(attempt);
    if (result !== null) return result;
  }
  throw new TooManyConflictsError();
}

/** Waits before the next attempt, for a random time, so that conflicting requests do not meet again. */
export function backOff(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

/** Thrown if every attempt conflicted with other requests. Nothing was changed. */
export class TooManyConflictsError extends AppError {
  constructor() {
    super("conflict", "Others are changing this record at the same moment, so nothing was changed. Please try again.");
  }
}
