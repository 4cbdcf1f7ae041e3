import { AppError } from "#app/errors.ts";

/** How often an operation is attempted in all while other requests change what it works on: 5 seconds with the waits. */
export const ATTEMPTS = 12;

/** The wait after the first attempt is at most this long, in milliseconds, and after each at most twice as long. */
const FIRST_WAIT = 10;
const LONGEST_WAIT = 1_000;

/**
 * Waits before another attempt, for a random time up to a limit that doubles: of requests that have met, each then comes
 * at another moment.
 */
export function backOff(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

/** Refuses an operation that met other requests at every attempt. Nothing was changed. */
export class TooManyConflictsError extends AppError {
  constructor() {
    super(409, "Others are changing this record at the same moment, so nothing was changed. Please try again.");
  }
}
