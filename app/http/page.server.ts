import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import { Refusal } from "./refusal.ts";

/**
 * The loader or the action of a page. A refusal that the page itself does not show becomes the error page, with the
 * refusal's status and words.
 */
export function page<Result>(work: (args: ActionFunctionArgs) => Promise<Result>) {
  return async (args: ActionFunctionArgs): Promise<Result> => {
    try {
      return await work(args);
    } catch (error) {
      if (error instanceof Refusal) throw data({ message: error.message }, { status: error.status });
      throw error;
    }
  };
}
