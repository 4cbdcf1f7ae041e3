import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Work that is done once for a request, whoever asks again: what an action has read, the page's loader need not read
 * a second time. For work whose arguments are the same throughout a request (they come from its address).
 */
export function perRequest<Args extends unknown[], Result>(
  work: (context: AppLoadContext, ...args: Args) => Promise<Result>,
) {
  const done = new WeakMap<AppLoadContext, Promise<Result>>();
  /** Does it once more: for a change that came too late. Whoever asks from then on gets this. */
  const refresh = (context: AppLoadContext, ...args: Args): Promise<Result> => {
    const result = work(context, ...args);
    done.set(context, result);
    return result;
  };
  const once = (context: AppLoadContext, ...args: Args) => done.get(context) ?? refresh(context, ...args);
  return Object.assign(once, { refresh });
}
