import { type ActionFunctionArgs, type AppLoadContext, data } from "@remix-run/cloudflare";
import { AppError } from "#app/errors.ts";
import type { Flash } from "./flash.ts";
import { logError } from "./logger.server.ts";

/** Where the browser still has what was typed. Not for pages that a browser never keeps. */
export const GO_BACK = "Go back: what you typed is still there.";

/** The text of the error page about an action that has failed, in case its page cannot be loaded either. */
const failures = new WeakMap<AppLoadContext, string>();

export function noteFailure(context: AppLoadContext, text: string): void {
  failures.set(context, text);
}

/**
 * Wraps a page's loader: an error is shown on the error page (`toErrorPage`). Behind an action that has failed, it says what
 * the form would have said.
 */
export function page<Result>(load: (args: ActionFunctionArgs) => Promise<Result>) {
  return async (args: ActionFunctionArgs): Promise<Result> => {
    try {
      return await load(args);
    } catch (error) {
      throw await toErrorPage(error, args, failures.get(args.context));
    }
  };
}

/**
 * Returns what to throw to show an error on the error page: an `AppError` with its status and message, except that a 401
 * redirects to the log-in. An unknown error is logged and answered 500 with the text `failed`; without that text it is
 * returned as it is, for Remix to handle. So is a `Response`.
 */
export async function toErrorPage(
  error: unknown,
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
  failed?: string,
): Promise<unknown> {
  if (error instanceof AppError && error.status === 401) return redirectTo(context, "/auth");
  if (error instanceof AppError) return data({ message: error.message, link: error.link }, { status: error.status });
  if (error instanceof Response || !failed) return error;
  logError(error, request);
  return data({ message: failed }, { status: 500 });
}

/** Redirects (303) to a page of the app, with a flash message for it. */
export async function redirectTo(
  context: AppLoadContext,
  path: string,
  flash?: Flash,
  headers?: HeadersInit,
): Promise<Response> {
  const all = new Headers(headers);
  all.set("Location", path);
  if (flash) all.append("Set-Cookie", await context.cookies.flash.serialize(flash));
  return new Response(null, { status: 303, headers: all });
}
