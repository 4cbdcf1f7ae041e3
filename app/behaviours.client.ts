import { startDrafts } from "./hours/drafts.client.ts";
import { startToday } from "./hours/today.client.ts";
import { startCopyButtons } from "./ui/copy.client.ts";
import { startDialogs } from "./ui/dialog.client.ts";
import { startTooltips } from "./ui/tooltip.client.ts";

/** What the signed-in pages gain from a few lines of script each, without React. */
export function startBehaviours(): void {
  startToday();
  startDrafts();
  startCopyButtons();
  startDialogs();
  startTooltips();
  // Only admins have it, and it comes with the first touch.
  const search = document.querySelector<HTMLFormElement>("form[data-live]");
  const bring = () => import("./admin/search.client.ts").then(({ startLiveSearch }) => startLiveSearch(search));
  if (search?.contains(document.activeElement)) bring();
  else search?.addEventListener("focusin", bring, { once: true });
}
