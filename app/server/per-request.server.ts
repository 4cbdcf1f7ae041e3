import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Caches a function's result for the request, so that the page's loader does not read again what its action has read. For
 * functions whose arguments are the same throughout a request (they come from its URL).
 */
export function perRequest<Args extends unknown[], Result>(
  work: (context: AppLoadContext, ...args: Args) => Promise<Result>,
) {
  const done = new WeakMap<AppLoadContext, Promise<Result>>();
  /** Reads again and replaces the cached result, after another request changed the data. */
  const refresh = (context: AppLoadContext, ...args: Args): Promise<Result> => {
    const result = work(context, ...args);
    done.set(context, result);
    return result;
  };
  const once = (context: AppLoadContext, ...args: Args) => done.get(context) ?? refresh(context, ...args);
  return Object.assign(once, { refresh });
}
