import { recordPath } from "#app/records/all-kinds.ts";
import { formatHours } from "#app/records/hours.ts";
import { LOG_ANCHOR, logHref } from "#app/records/log-filter.ts";
import { WARNED_MAX } from "#app/records/save.server.ts";
import type { Warning } from "#app/server/flash.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Saved } from "./entries.server.ts";
import { entryKind } from "./entry.kind.ts";
import { isLongAgo } from "./entry-rules.ts";

/** The warnings about the dates of entries that were saved (product "Settled"). `today` is the user's current date. */
export function warningsFor({ entries, longDays }: Pick<Saved, "entries" | "longDays">, today: string): Warning[] {
  const dated = (isOdd: (date: string) => boolean, text: string) =>
    [
      ...new Map(
        entries.filter(({ date, broughtForward }) => !broughtForward && isOdd(date)).map(({ date, id }) => [date, id]),
      ),
    ]
      .sort()
      .slice(0, WARNED_MAX)
      .map(([date, id]) => ({
        text: `${formatDate(date)} ${text}.`,
        href: recordPath(entryKind, id),
        link: "See the record",
      }));
  return [
    ...longDays.slice(0, WARNED_MAX).map(({ date, hundredths }) => ({
      text: `${formatDate(date)} now adds up to ${formatHours(hundredths)} hours, which is more than a day has.`,
      href: logHref(entryKind.path, { from: date, to: date }) + LOG_ANCHOR,
      link: "See that day",
    })),
    ...dated((date) => date > today, "is in the future"),
    ...dated((date) => isLongAgo(date, today), "is more than 10 years ago"),
  ];
}
