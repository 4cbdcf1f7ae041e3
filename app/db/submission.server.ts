import { createHash } from "node:crypto";

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
