import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import { AppError } from "#app/errors.ts";
import { logError } from "./logger.server.ts";
import { redirectTo } from "./redirect.server.ts";

/** Where to find what was typed, if the page that says so is not the form itself. Not for pages that no browser keeps. */
export const GO_BACK = "Go back: what you typed is still there.";

/**
 * The loader or the action of a page. A refusal that the page itself does not show becomes the error page, with the
 * refusal's status and words, or for somebody who is nobody any more the log-in. `failed` is what an action says (spec
 * section 8) of a failure that comes before it can show the form again, as when the database does not even tell who
 * asks.
 */
export function page<Result>(work: (args: ActionFunctionArgs) => Promise<Result>, failed?: string) {
  return async (args: ActionFunctionArgs): Promise<Result> => {
    try {
      return await work(args);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) throw await redirectTo(args.context, "/auth");
      if (error instanceof AppError) throw data({ message: error.message }, { status: error.status });
      if (error instanceof Response || !failed) throw error;
      logError(error, args.request);
      throw data({ message: failed }, { status: 500 });
    }
  };
}
