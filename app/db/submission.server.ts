import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#app/errors.ts";
import { deletedRecords } from "./schema.ts";

/**
 * Names one sending of one form: the form's hidden key with what was typed. A row keeps it, so the same form sent
 * again (a double tap, a lost answer, Back and Save) finds its rows instead of making them twice, while the same key
 * with other content is new work. Null without a key: then every call is new.
 */
export function submissionOf(key: string | null, content: unknown): string | null {
  if (!key) return null;
  return createHash("sha256")
    .update(`${key}\n${JSON.stringify(content)}`)
    .digest("base64url");
}

/**
 * The condition under which a sending has made records that their owner has deleted since, and can still take back:
 * the same form, sent once more, must not bring them back unasked.
 */
export function isDeletedSubmission(userId: number, kind: string, submission: string | null): SQL {
  return sql`EXISTS (SELECT 1 FROM ${deletedRecords} WHERE user_id = ${userId} AND record_kind = ${kind}
    AND content ->> 'submission' = ${submission})`;
}

/** Refuses a sending that made records which are deleted now. */
export class SubmissionDeletedError extends AppError {
  constructor() {
    super(409, "These hours were saved before and deleted since, so they were not saved again.");
  }
}
