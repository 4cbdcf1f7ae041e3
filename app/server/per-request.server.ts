import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Caches a function's results for the request, by its arguments, so that the page's loader does not read again what its
 * action has read. Arguments are compared by identity.
 */
export function perRequest<Args extends unknown[], Result>(
  work: (context: AppLoadContext, ...args: Args) => Promise<Result>,
) {
  const done = new WeakMap<AppLoadContext, { args: Args; result: Promise<Result> }[]>();
  const cached = (context: AppLoadContext, args: Args) =>
    done.get(context)?.find((one) => one.args.every((arg, index) => arg === args[index]));
  const keep = (context: AppLoadContext, args: Args, result: Promise<Result>): Promise<Result> => {
    const found = cached(context, args);
    if (found) found.result = result;
    else done.set(context, [...(done.get(context) ?? []), { args, result }]);
    return result;
  };
  const once = (context: AppLoadContext, ...args: Args) =>
    cached(context, args)?.result ?? keep(context, args, work(context, ...args));
  return Object.assign(once, {
    /** Reads again and replaces the cached result, after another request changed the data. */
    refresh: (context: AppLoadContext, ...args: Args) => keep(context, args, work(context, ...args)),
    /** Replaces the cached result by one that is known, or will be. */
    replace: (result: Result | Promise<Result>, context: AppLoadContext, ...args: Args) =>
      keep(context, args, Promise.resolve(result)),
  });
}
