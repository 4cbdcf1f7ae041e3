import { createHash } from "node:crypto";
import { AppError } from "#app/errors.ts";

/**
 * Identifies a submitted form: a hash of its hidden key and its content, stored with the rows. The same form sent again
 * (a double tap, a lost answer, Back and Save) finds its rows instead of saving them twice; the same key with other
 * content is a new submission. Null without a key: then every call is new.
 */
export function submissionOf(key: string | null, content: unknown): string | null {
  if (!key) return null;
  return createHash("sha256")
    .update(`${key}\n${JSON.stringify(content)}`)
    .digest("base64url");
}

/** Refuses a submission whose records have been deleted. */
export class SubmissionDeletedError extends AppError {
  constructor() {
    super("already_deleted", "These hours were saved before and deleted since, so they were not saved again.");
  }
}
