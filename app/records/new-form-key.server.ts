import type { SubmissionDeletedError } from "#app/db/submission.server.ts";
import type { Toast } from "#app/server/flash.ts";

/**
 * The answer to a form whose hours were saved and deleted since: the same form with a new key, so that saving it again
 * logs the hours again. `sent` is the path of the first sending, whose draft the browser may remove.
 */
export function newFormKeyReply({ message }: SubmissionDeletedError, sent: string) {
  const failure: Toast = { kind: "error", title: "Not saved", text: `${message} Save once more to log them again.` };
  return { failure, extra: { formKey: crypto.randomUUID(), saved: sent } };
}
