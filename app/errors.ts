/** One thing wrong with what was sent: where (`0.hours`, `email`) and what to do about it. */
export interface FieldError {
  path: string;
  message: string;
}

/** The statuses with which the app refuses, and no others (the table in docs/api.md). */
export type AppErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429;

/**
 * Thrown where a rule of the product says no. `message` is for the person: what happened and what to do now.
 * The JSON calls answer it as it stands; a page shows it where it belongs.
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
