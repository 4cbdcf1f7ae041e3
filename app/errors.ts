/** One thing wrong with what was sent: where (`0.hours`, `email`) and what to do about it. */
export interface FieldError {
  path: string;
  message: string;
}

/** The statuses with which the app refuses, and no others (the table in docs/api.md). */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429;

/**
 * Thrown where a rule of the product says no. `message` is for the person: what happened and what to do now.
 * The JSON calls answer it as it stands; a page shows it where it belongs.
 */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly errors: FieldError[] | undefined;

  constructor(status: RefusalStatus, message: string, errors?: FieldError[]) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.errors = errors;
  }
}
