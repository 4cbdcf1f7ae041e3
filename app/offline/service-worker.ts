import { sendRows } from "./send.client.ts";

/*
 * The service worker, /sw.js: without a signal it answers a page with an empty form for new hours, and it sends what is
 * saved when the browser offers to (Background Sync). It caches these two forms and nothing else, so no personal page
 * (docs/decisions/0060-a-worker-of-two-pages.md).
 */

/** Names the build (vite/service-worker.ts), so that a new deploy replaces this worker and its cache. */
declare const VERSION: string;

/** TypeScript's library of workers excludes that of pages, so what this file uses is declared here. */
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PageEvent extends WorkEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const { clients } = self as unknown as { clients: { claim(): Promise<void> } };
const on = <Type extends Event>(type: string, handler: (event: Type) => void) =>
  addEventListener(type, handler as EventListener);

const ENTRIES = "/offline/entries";
const ROPE_HOURS = "/offline/rope-hours";

/** Pages of people who log no hours, and downloads. Without a signal they fail as they would without this worker. */
const OTHERS = /^\/(api|verify|success|c|check|inbox|disown|unsubscribe|reset-password)(\/|$)/;

/** How long a page may take to begin before the form is shown instead. A page on a slow network begins within 3 s. */
const PATIENCE_MS = 8_000;

on("install", (event: WorkEvent) => {
  // Without cookies: a message for the user would be cached with the page.
  const pages = [ENTRIES, ROPE_HOURS].map((path) => new Request(path, { credentials: "omit", cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(pages)));
});

on("activate", (event: WorkEvent) => {
  const outdated = caches.keys().then((names) => names.filter((name) => name !== VERSION));
  event.waitUntil(
    Promise.all([clients.claim(), outdated.then((names) => Promise.all(names.map((name) => caches.delete(name))))]),
  );
});

on("fetch", (event: PageEvent) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode !== "navigate" || OTHERS.test(pathname)) return;
  const answer = fetch(request);
  const form = () => caches.match(pathname.startsWith("/rope") ? ROPE_HOURS : ENTRIES);
  // Only a GET is given up: the outcome of a form that was sent is worth the wait.
  const late = new Promise<Response | undefined>((done) => {
    if (request.method === "GET") setTimeout(() => form().then(done), PATIENCE_MS);
  });
  event.respondWith(
    Promise.race([answer, late])
      .catch(form)
      .then((response) => response ?? answer),
  );
});

on("sync", (event: WorkEvent) => {
  event.waitUntil(
    sendRows().then(({ result }) => {
      if (result === "later") throw result; // the browser tries again later
    }),
  );
});
