import { formatHours } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { Saved } from "./entries.server.ts";

/** How many of each kind are named: they travel in a cookie. */
const NAMED = 3;

/** What is worth a second look after a save, and was saved all the same (product "Settled"). `today` is the person's. */
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
