/** The error of one field: its path (`0.hours`, `email`) and what to do about it. */
export interface FieldError {
  path: string;
  message: string;
}

/** The statuses of refused requests (the table in docs/api.md). */
export type AppErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 429;

/** The message of a 405. */
export const METHOD_NOT_ALLOWED = "This address does not take that method.";

/**
 * Thrown if a rule of the product refuses a request. `message` tells the user what happened and what to do now. The API
 * returns it as JSON; a page shows it.
 */
export class AppError extends Error {
  readonly status: AppErrorStatus;
  readonly errors: FieldError[] | undefined;

  constructor(status: AppErrorStatus, message: string, errors?: FieldError[]) {
    super(message);
    this.name = "AppError";
    this.status = status;
    this.errors = errors;
  }
}
