import { formatHours } from "#app/records/hours.ts";
import type { TargetHours } from "./target-hours.server.ts";

/** What a target still needs, below the gauge of all hours, and the way to its progress. */
export function TargetLine({ target: { title, remaining } }: { target: TargetHours }) {
  return <a href="/progress">{`${remaining === 0 ? "Reached" : `${formatHours(remaining)} h to go`}: ${title}`}</a>;
}
