import type { LogPage } from "./log-page.server.ts";

/** The links to the pages of newer and of older records. */
export function LogPager({
  newerHref,
  olderHref,
  many,
}: Pick<LogPage<never>, "newerHref" | "olderHref"> & { many: string }) {
  if (!newerHref && !olderHref) return null;
  return (
    <p className="row">
      {newerHref && <a href={newerHref}>{`Newer ${many}`}</a>}
      {olderHref && <a href={olderHref}>{`Older ${many}`}</a>}
    </p>
  );
}
