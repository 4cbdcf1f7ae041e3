import { sendRows } from "./send.client.ts";

/*
 * The service worker, /sw.js: without a signal it answers a page with an empty form for new hours, and it sends what is
 * saved when the browser offers to (Background Sync). It caches these two forms with their script and nothing else, so no
 * personal page (docs/decisions/0060-service-worker.md).
 */

/** Names the build, so that a new deploy replaces this worker and its cache (vite/service-worker.ts). */
declare const VERSION: string;
/** The address of the forms' script. */
declare const SCRIPT: string;

/** TypeScript's library of workers excludes that of pages, so what this file uses is declared here. */
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends WorkEvent {
  request: Request;
  respondWith(answer: Promise<Response | undefined>): void;
}
declare const clients: { claim(): Promise<void> };
const on = <Type extends Event>(type: string, handler: (event: Type) => void) =>
  addEventListener(type, handler as EventListener);

const ENTRIES = "/offline/entries";
const ROPE_HOURS = "/offline/rope-hours";

/** Pages of people who log no hours, and downloads. Without a signal they fail as they would without this worker. */
const OTHERS = /^\/(api|verify|success|c\b|check|confirm|inbox|disown|unsub|reset)/;

/** The forms whose values the store has. Of any other only the browser can send what was typed once more. */
const KEPT = /entries|hours.new|logout/;

/** How long a page may take to begin before the form is shown instead. A page on a slow network begins within 3 s. */
const PATIENCE_MS = 8_000;

async function install(): Promise<void> {
  const cache = await caches.open(VERSION);
  // Without cookies: a message for the user would be cached with the page.
  await cache.addAll([ENTRIES, ROPE_HOURS, SCRIPT].map((path) => new Request(path, { credentials: "omit" })));
  // A network that asks its users to sign in answers everything with a page of its own, which does not name the script.
  // Then the installation fails, and a later page tries again.
  if (!(await (await cache.match(ENTRIES))?.text())?.includes(SCRIPT)) throw cache;
}

on("install", (event: WorkEvent) => {
  event.waitUntil(install());
});

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await clients.claim();
}

on("activate", (event: WorkEvent) => {
  event.waitUntil(takeOver());
});

on("fetch", (event: RequestEvent) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  const isGet = request.method === "GET";
  const hasForm = isGet ? !OTHERS.test(pathname) : KEPT.test(pathname);
  const isPage = request.mode === "navigate" && hasForm;
  if (!isPage && pathname !== SCRIPT) return;
  const answer = fetch(request);
  const kept = () => caches.match(isPage ? (pathname.startsWith("/rope") ? ROPE_HOURS : ENTRIES) : request);
  // Only a GET is given up: the outcome of a form that was sent is worth the wait.
  const late = new Promise<Response | undefined>((done) => {
    if (isGet) setTimeout(() => done(kept()), PATIENCE_MS);
  });
  event.respondWith(
    Promise.race([answer, late])
      .catch(kept)
      .then((response) => response ?? answer),
  );
});

on("sync", (event: WorkEvent) => {
  event.waitUntil(
    sendRows((row, { message }, response) => {
      // The browser tries again later. What the app refuses holds up nothing else, and the next page says it.
      if (!message || !response || response.status > 428) throw row;
      return null;
    }),
  );
});
