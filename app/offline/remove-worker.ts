/*
 * What /sw.js is in a build with OFFLINE=off (docs/decisions/0060-service-worker.md): it takes the place of an
 * installed service worker at the next visit, deletes the pages that it kept, and unregisters itself. It answers nothing,
 * so pages come from the network again at once. What is typed and not sent stays, and pages send it.
 */

/** TypeScript's library of workers excludes that of pages, so what this file uses is declared here. */
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
const worker = self as unknown as {
  skipWaiting(): Promise<void>;
  registration: { unregister(): Promise<boolean> };
};

addEventListener("install", () => worker.skipWaiting());

addEventListener("activate", (event) => {
  (event as WorkEvent).waitUntil(remove());
});

async function remove(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  await worker.registration.unregister();
}
