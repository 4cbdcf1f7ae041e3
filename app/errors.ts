/** The error of one field: its path (`0.hours`, `email`) and what to do about it. */
export interface FieldError {
  path: string;
  message: string;
}

/**
 * Every reason for which a request is refused, by its code: the status of the answer, and what a caller can do about it. Codes
 * are part of the API: one that has been released is never renamed (docs/api.md, "Refusals").
 */
export const ERROR_CODES = {
  invalid: { status: 400, meaning: "The body, a parameter or a header is invalid; `errors` names the fields." },
  invalid_json: { status: 400, meaning: "The body is not JSON." },
  incomplete: { status: 400, meaning: "The body did not arrive completely. Send it again." },
  wrong_password: { status: 400, meaning: "The password of the signed-in user is wrong." },
  own_mailbox: { status: 400, meaning: "The mailbox is the technician's own, and a supervisor's cannot be." },
  not_begun: { status: 400, meaning: "The work has not begun on that day, so it cannot be verified yet." },
  link_ended: { status: 400, meaning: "The link of an email was used, has expired or never existed." },
  unauthorized: { status: 401, meaning: "There is no session and no token, or they have ended." },
  token_ended: { status: 401, meaning: "The last day of the token is over. Its user makes another one." },
  invalid_credentials: { status: 401, meaning: "The email address or the password is wrong." },
  cross_site: { status: 403, meaning: "The request comes from another site's page." },
  admin_only: { status: 403, meaning: "The call is for admins." },
  read_only_token: { status: 403, meaning: "The token may only read." },
  service_token: { status: 403, meaning: "The call takes no service token." },
  session_only: { status: 403, meaning: "The call takes a session and no token." },
  other_user: {
    status: 403,
    meaning: "The hours were typed by another user than the one who is signed in (`For-User`).",
  },
  locked: {
    status: 403,
    meaning: "An admin has locked the account: its user cannot sign in, and its links change nothing.",
  },
  own_hours: { status: 403, meaning: "Technicians cannot verify their own hours." },
  not_found: { status: 404, meaning: "There is no such thing, or it belongs to another user." },
  unknown_call: { status: 404, meaning: "There is no such call." },
  method_not_allowed: { status: 405, meaning: "The address does not take this method; `Allow` lists those it takes." },
  too_slow: { status: 408, meaning: "The body did not arrive in time. Send it again." },
  conflict: { status: 409, meaning: "Other requests change the same record at this moment. Send it again." },
  already_verified: { status: 409, meaning: "The record is verified, so it can no longer change." },
  already_answered: { status: 409, meaning: "The link was answered, withdrawn or has expired." },
  record_changed: { status: 409, meaning: "The record has changed since it was shown. Read it again." },
  request_ended: { status: 409, meaning: "The request for verification has ended, or none is open." },
  already_sent: { status: 409, meaning: "The email was sent meanwhile, or is no longer needed." },
  no_address: { status: 409, meaning: "The supervisor's address is not known, so no email can be sent." },
  email_taken: { status: 409, meaning: "The email address belongs to an account, or to a supervisor of this account." },
  supervisor_exists: { status: 409, meaning: "The list of supervisors has this mailbox already." },
  account_full: { status: 409, meaning: "The account holds as much as it may; the message names the figure." },
  already_deleted: { status: 409, meaning: "The data that this Idempotency-Key saved has been deleted." },
  key_reused: {
    status: 409,
    meaning:
      "The Idempotency-Key was sent before with another body. Nothing was saved: use a key of its own for each body.",
  },
  already_made: { status: 409, meaning: "The token was made already, and is shown only once." },
  already_imported: { status: 409, meaning: "These rows are imported already." },
  records_edited: {
    status: 409,
    meaning: "Records of the import were edited since; the message says how many. `?edited=delete` deletes them too.",
  },
  import_incomplete: { status: 409, meaning: "The import cannot be applied yet; the message says what is missing." },
  nothing_verified: { status: 409, meaning: "There are no verified hours to export." },
  export_too_large: {
    status: 409,
    meaning:
      "There are more records, or longer texts, than one form has; the message says in which parts to export them.",
  },
  export_closed: { status: 409, meaning: "The export is closed, or its code can no longer be made." },
  last_admin: { status: 409, meaning: "The last admin stays one, and an admin cannot delete or lock the own account." },
  stale: { status: 412, meaning: "`If-Match` names another version than the present one. Read the record again." },
  too_large: { status: 413, meaning: "The body is larger than 1 MiB." },
  unsupported_type: { status: 415, meaning: "The content type is not one that the call takes." },
  unknown_host: { status: 421, meaning: "PUBLIC_ORIGIN is not set, and the host is not this machine's." },
  rate_limited: { status: 429, meaning: "There were too many requests or attempts; see `Retry-After`." },
  busy: {
    status: 429,
    meaning: "Too many expensive requests are being answered, for everyone or this account; see `Retry-After`.",
  },
  daily_quota: { status: 429, meaning: "The account has made as many of these as it may in a day; see `Retry-After`." },
  server_error: { status: 500, meaning: "An unexpected error; the operator finds it by the reference in the message." },
  database_full: {
    status: 503,
    meaning: "The database is nearly full: new accounts and imports wait, all else goes on; see `Retry-After`.",
  },
  unavailable: { status: 503, meaning: "The app cannot run or save at the moment; see `Retry-After`." },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A refusal in JSON. */
export interface Refusal {
  message: string;
  code: ErrorCode;
  errors?: FieldError[];
}

/** The message to a user when the database is full. */
export const NO_ROOM =
  "Nothing was saved: the server has no room left. Please tell the person who runs it, and try again when there is room.";

/** The message of a 405. */
export const METHOD_NOT_ALLOWED = "This address does not take that method.";

/** A refusal as a response, with the status of its code. */
export function refusalJson(refusal: Refusal, headers?: HeadersInit): Response {
  return Response.json(refusal, { status: ERROR_CODES[refusal.code].status, ...(headers && { headers }) });
}

/**
 * Thrown if a rule of the product refuses a request. `message` says what happened and what to do now. The API returns
 * it as JSON; a page shows it.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  /** Where the error page leads, to what the message speaks of. */
  link?: { href: string; text: string };

  constructor(code: ErrorCode, message: string, errors?: FieldError[]) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.errors = errors;
  }

  /** The status of the answer. */
  get status(): (typeof ERROR_CODES)[ErrorCode]["status"] {
    return ERROR_CODES[this.code].status;
  }
}

/** The message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
