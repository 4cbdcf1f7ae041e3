import type { DeletedSince } from "#app/db/submission.server.ts";
import type { Toast } from "#app/http/flash.ts";

/**
 * What a form becomes whose hours were deleted since it was first sent: one with a key of its own, so that saving once
 * more logs them anew. What the browser kept of the first sending can go.
 */
export function sendAnew({ message }: DeletedSince, request: Request) {
  const toast: Toast = { kind: "error", title: "Not saved", text: `${message} Save once more to log them anew.` };
  return { toast, anew: { formKey: crypto.randomUUID(), saved: new URL(request.url).pathname } };
}
