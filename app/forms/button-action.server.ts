import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { isFull } from "#app/db/client.server.ts";
import { AppError, NO_ROOM } from "#app/errors.ts";
import { logError } from "#app/server/logger.server.ts";
import { redirectTo, toErrorPage } from "#app/server/page.server.ts";

/** The text of a toast after an unknown error (spec section 8). */
export type FailedToast = string | { title: string; text: string };

interface ButtonOptions {
  failed: FailedToast | ((args: ActionFunctionArgs) => FailedToast);
  failureHref: (args: ActionFunctionArgs) => string;
  /** Answers an `AppError` that the button treats in its own way; undefined for all others. */
  onAppError?: (
    error: AppError,
    fail: (text: string) => Promise<Response>,
    args: ActionFunctionArgs,
  ) => Promise<Response> | undefined;
}

/**
 * The action behind a button of another page, which has no page of its own. `run` does the work and returns a redirect.
 * An error redirects to `failureHref` with a toast: an `AppError` with its message, an unknown error is logged and says
 * `failed`. A 404 is shown on the error page, and a 401 redirects to the log-in.
 */
export function buttonAction(
  { failed, failureHref, onAppError }: ButtonOptions,
  run: (args: ActionFunctionArgs) => Promise<Response>,
) {
  return async (args: ActionFunctionArgs): Promise<Response> => {
    const words = typeof failed === "function" ? failed(args) : failed;
    const toast = typeof words === "string" ? { title: "Error", text: words } : words;
    const fail = (text: string) =>
      redirectTo(args.context, failureHref(args), { toast: { kind: "error", title: toast.title, text } });
    try {
      return await run(args);
    } catch (error) {
      if (error instanceof Response) return error;
      if (!(error instanceof AppError)) {
        logError(error, args.request);
        return fail(isFull(error) ? NO_ROOM : toast.text);
      }
      const own = await onAppError?.(error, fail, args);
      if (own) return own;
      if ([401, 404].includes(error.status)) throw await toErrorPage(error, args);
      return fail(error.message);
    }
  };
}
