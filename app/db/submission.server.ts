import { createHash } from "node:crypto";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#app/errors.ts";

/**
 * Identifies a submitted form or call: the hash of its key and the hash of its content, stored with the rows. The same one sent
 * again (a double tap, a lost answer, Back and Save) finds its rows instead of saving them twice. The same key with other content
 * is a new submission of a form; a call is refused (`isUnderKey`). Null without a key: then every call is new.
 */
export function submissionOf(key: string | null, content: unknown): string | null {
  return key ? `${hashOf(key)}.${hashOf(JSON.stringify(content))}` : null;
}

/** 128 bits of a hash: a user chooses the texts and compares them with their own alone. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** SQL condition: what a row has in `submission` was sent under the same key, whatever its content. */
export function isUnderKey(submission: string): SQL {
  const [key] = submission.split(".");
  // `/` is the character after `.`.
  return sql`submission >= ${`${key}.`} AND submission < ${`${key}/`}`;
}

/** The same, with other content: what a call is refused for. False for a form, and without a key. */
export function isReusedKey({ isApi }: Pick<AppLoadContext, "isApi">, submission: string | null): SQL {
  // No row equals NULL, and an index answers it.
  if (!isApi || submission === null) return sql`submission = NULL`;
  return sql`${isUnderKey(submission)} AND submission <> ${submission}`;
}

/** Refuses a call whose Idempotency-Key was sent with another body. */
export class KeyReusedError extends AppError {
  constructor() {
    super(
      "key_reused",
      "This Idempotency-Key was sent before, with another body. Nothing was saved. Send this body with a key of its own.",
    );
  }
}

/**
 * The submission of a part of an import: the parameters of D1 have a limited length. It has no hash, as those of forms and
 * calls have, so no Idempotency-Key can make one.
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
