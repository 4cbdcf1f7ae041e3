import { logError } from "./log.server.ts";
import { Refusal } from "./refusal.ts";

/** How a form that was refused or that failed comes back. */
export interface FormFailure {
  /** What is wrong with fields, by their names. */
  fieldErrors: Record<string, string[]>;
  /** What is wrong with the attempt as a whole. */
  message: string | null;
  status: number;
}

/** What an action shows of what went wrong. An error that nobody foresaw is logged, and said in the words of `failed`. */
export function failureOf(error: unknown, request: Request, failed: string): FormFailure {
  if (error instanceof Refusal) {
    const { status, errors, message } = error;
    const fieldErrors = Object.fromEntries((errors ?? []).map(({ path, message }) => [path, [message]]));
    return { fieldErrors, message: errors ? null : message, status };
  }
  logError(error, request);
  return { fieldErrors: {}, message: failed, status: 500 };
}
