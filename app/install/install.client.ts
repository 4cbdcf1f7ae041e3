import { savesData } from "#app/client/save-data.client.ts";
import { showHint } from "./hint.client.ts";

const MANIFEST = "/manifest.webmanifest";

/**
 * Makes the page installable: names the manifest, which Chromium requests at once, with an icon, so no page names it before
 * it is touched (docs/decisions/0060-service-worker.md). Where the browser then offers to install the app, the page
 * shows a hint instead of the browser's own banner.
 */
export function startInstalling(): void {
  if (savesData() || document.querySelector("[rel=manifest]")) return;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    // TypeScript's library does not declare the event, which only Chromium has.
    showHint(event as Event & { prompt(): Promise<unknown> });
  });
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = MANIFEST;
  document.head.appendChild(link);
}
