import { formatInstant } from "#app/ui/calendar-date.ts";

/** Shows the instants of the page in the browser's own time zone: the server can only estimate it, or knows none. */
export function showLocalTimes(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[datetime$=Z]")) {
    time.textContent = formatInstant(timeZone, new Date(time.dateTime));
  }
}
