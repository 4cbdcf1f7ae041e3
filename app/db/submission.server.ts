import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
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

/**
 * The submission of a part of an import: the parameters of D1 have a limited length. It is no hash, as those of forms and
 * calls are, so no Idempotency-Key can make one.
 */
export function importSubmission(id: number, part: number): string {
  return `import-${id}.${part}`;
}

/** SQL condition: the import created the record. With the owner before it an index answers it. */
export function isOfImport(id: number): SQL {
  // `/` is the character after `.`.
  return sql`submission >= ${`import-${id}.`} AND submission < ${`import-${id}/`}`;
}

/** Refuses a submission whose records have been deleted. */
export class SubmissionDeletedError extends AppError {
  constructor() {
    super("already_deleted", "These hours were saved before and deleted since, so they were not saved again.");
  }
}
