import { formatHours } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Saved } from "./entries.server.ts";

/** How many dates each warning lists, because the warnings are stored in a cookie. */
const NAMED = 3;

/** The warnings about entries that were saved (product "Settled"). `today` is the user's current date. */
export function warningsFor({ entries, longDays }: Saved, today: string): string[] {
  const future = [...new Set(entries.map(({ date }) => date))].filter((date) => date > today).sort();
  return [
    ...longDays
      .slice(0, NAMED)
      .map(
        ({ date, hundredths }) =>
          `${formatDate(date)} now adds up to ${formatHours(hundredths)} hours, which is more than a day has.`,
      ),
    ...future.slice(0, NAMED).map((date) => `${formatDate(date)} is in the future.`),
  ];
}
