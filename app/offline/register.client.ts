import { savesData } from "#app/client/save-data.client.ts";

/** Installs the service worker when the browser is idle. It fetches two pages, so not where the user saves data. */
export function registerWorker(): void {
  if (!savesData()) (window.requestIdleCallback ?? setTimeout)(() => navigator.serviceWorker?.register("/sw.js"));
}
