import { recordPath } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { LOG_ANCHOR, logHref } from "#app/records/log-filter.ts";
import { WARNED_MAX } from "#app/records/same-record.server.ts";
import type { Warning } from "#app/server/flash.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Saved } from "./entries.server.ts";
import { entryKind } from "./entry.kind.ts";

/** The warnings about the dates of entries that were saved (product "Settled"). `today` is the user's current date. */
export function warningsFor({ entries, longDays }: Pick<Saved, "entries" | "longDays">, today: string): Warning[] {
  const future = new Map(entries.filter(({ date }) => date > today).map(({ date, id }) => [date, id]));
  return [
    ...longDays.slice(0, WARNED_MAX).map(({ date, hundredths }) => ({
      text: `${formatDate(date)} now adds up to ${formatHours(hundredths)} hours, which is more than a day has.`,
      href: logHref(entryKind.path, { from: date, to: date }) + LOG_ANCHOR,
      link: "See that day",
    })),
    ...[...future]
      .sort()
      .slice(0, WARNED_MAX)
      .map(([date, id]) => ({
        text: `${formatDate(date)} is in the future.`,
        href: recordPath(entryKind, id),
        link: "See the record",
      })),
  ];
}
