import type { ProgressPage } from "./progress-page.server.ts";

interface OtherTargetsProps extends Pick<ProgressPage, "hasNewer" | "older"> {
  path: string;
  className?: string;
}

/** The way to the targets that are not on this page, if there are any. */
export function OtherTargets({ path, className, hasNewer, older }: OtherTargetsProps) {
  if (!hasNewer && older === null) return null;
  return (
    <p className={className}>
      {hasNewer && <a href={path}>Newest targets</a>}{" "}
      {older !== null && <a href={`${path}?target=${older}`}>Older targets</a>}
    </p>
  );
}
