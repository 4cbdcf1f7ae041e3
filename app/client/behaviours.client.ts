import { offerDrafts } from "#app/records/drafts/offer-draft.client.ts";
import { startCopyButtons } from "./copy.client.ts";
import { startPrefetching } from "./prefetch.client.ts";
import { correctToday } from "./today.client.ts";
import { startTooltips } from "./tooltip.client.ts";

/**
 * What there is to put right on a page before anyone touches it.
 * @param today the technician's own day, `YYYY-MM-DD`
 */
export function startBehaviours(today: string): void {
  offerDrafts();
  correctToday(today);
  startCopyButtons();
}

/**
 * What a mouse gains, and who searches; only admins have a search. `since` is when somebody reached for one of these, on
 * the page's clock.
 */
export function startPointerBehaviours(since: number): void {
  startTooltips(since);
  startPrefetching();
  if (document.querySelector("[data-live]")) {
    import("#app/admin/search.client.ts").then(({ startLiveSearch }) => startLiveSearch());
  }
}
