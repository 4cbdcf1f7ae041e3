import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours } from "#app/records/hours.ts";
import type { TargetHours } from "./target-hours.server.ts";

/** What a target still needs, below the gauge of its hours, and the way to its progress. */
export function TargetLine({ target: { title, methods, remaining } }: { target: TargetHours }) {
  return (
    <p className="apart">
      <a href="/progress">{`${remaining === 0 ? "Reached" : `${formatHours(remaining)} h to go`}: ${title}`}</a>
      <span className="hint">{methods.map(methodLabel).join(", ")}</span>
    </p>
  );
}
