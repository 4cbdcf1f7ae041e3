import { savesData } from "#app/client/save-data.client.ts";

/**
 * Installs the service worker when the browser is idle. It fetches two pages, so not where the user saves data, and not in
 * a build with OFFLINE=off, whose worker removes itself.
 */
export function registerWorker(): void {
  if (import.meta.env.OFFLINE === "off" || savesData()) return;
  (window.requestIdleCallback ?? setTimeout)(() => navigator.serviceWorker?.register("/sw.js").catch(() => {}));
}
