import { startInstalling } from "#app/install/install.client.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { startChoosing } from "#app/verification/requests/choose.client.ts";
import { startCopyButtons, startShareButtons } from "./copy.client.ts";
import { startPasswordButtons } from "./password.client.ts";
import { startPrefetching } from "./prefetch.client.ts";
import { correctToday } from "./today.client.ts";
import { startTooltips } from "./tooltip.client.ts";

export { correctToday };

/** Starts the behaviours that a page needs without any interaction. */
export function startBehaviours(): void {
  startCopyButtons();
  startShareButtons();
  startChoosing();
  startPasswordButtons();
  showLocalTimes();
}

/**
 * Starts tooltips, prefetching, installing and, for admins, live search, at the first interaction with one of them.
 * `since` is the time of that interaction on the page's clock.
 */
export function startPointerBehaviours(since: number): void {
  startTooltips(since);
  startPrefetching();
  startInstalling();
  if (document.querySelector("[data-live]")) {
    import("#app/admin/search.client.ts").then(({ startLiveSearch }) => startLiveSearch());
  }
}

/** Shows the instants of the page in the browser's own time zone: the server can only estimate it, or knows none. */
function showLocalTimes(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[datetime$=Z]")) {
    time.textContent = formatInstant(timeZone, new Date(time.dateTime));
  }
}
