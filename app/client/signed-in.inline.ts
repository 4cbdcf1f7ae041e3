import { keepTyped } from "#app/offline/keep-typed.client.ts";
import { registerWorker } from "#app/offline/register.client.ts";
import { inStore } from "#app/offline/store.client.ts";
import { recordForm } from "#app/offline/typed.client.ts";
import { startBusyButtons } from "./busy.client.ts";
import { startDialogs } from "./dialog.client.ts";
import { holdClicks } from "./hold.client.ts";
import { localToday } from "./local-today.client.ts";
import { savesData } from "./save-data.client.ts";
import { announceToast } from "./toast.client.ts";

/*
 * The inline script of signed-in pages. It saves typed text and prevents double submits from the first interaction on.
 * The rest, islands included, is loaded at an interaction that needs it, or at once if the page needs a correction
 * (docs/decisions/0014-scripts-on-first-use.md).
 */

/** The URL of the client entry, and of React's file or "" (vite/inline-scripts.ts). */
declare const ENTRY: string;
declare const REACT: string;

type Entry = typeof import("#app/entry.client.tsx");

announceToast();
keepTyped();
startBusyButtons();
startDialogs();

// After the page itself, so that it is not delayed: somebody who has only looked can log hours without a signal.
addEventListener("load", registerWorker);

let entry: Promise<Entry> | undefined;

/** A URL whose import has failed once keeps failing, so the second attempt uses another. */
function loadEntry(): Promise<Entry> {
  entry ??= import(/* @vite-ignore */ ENTRY).catch(() => import(/* @vite-ignore */ `${ENTRY}?again`));
  return entry;
}

function loadBehaviours() {
  return loadEntry().then(({ behaviours }) => behaviours());
}

/** The islands that the user has interacted with; undefined before the first. */
let touched: Set<Element> | undefined;

function loadIslands(): Set<Element> {
  // Every island needs React, so it is fetched in parallel with the entry. If this fails, it is requested again
  // (vite/islands-only.ts).
  if (REACT) fetch(REACT).catch(() => {});
  const islands = new Set<Element>();
  const release = holdClicks(document);
  loadEntry()
    .then(({ startIslands }) => startIslands(islands))
    .catch(() => {}) // the plain HTML still works
    .then(release);
  return islands;
}

let hasPointerBehaviours = false;

function onInteraction({ type, target, pointerType }: Partial<PointerEvent>): void {
  if (!(target instanceof Element)) return;
  const isOver = type === "pointerover";
  const island = target.closest(isOver ? "[data-when=intent]" : "[data-island]");
  if (island && !(isOver && savesData())) {
    touched ??= loadIslands();
    touched.add(island);
  }
  const isRelevant = !isOver || pointerType === "mouse";
  if (!hasPointerBehaviours && isRelevant && target.closest(isOver ? "[data-tip],nav a" : "[data-live]")) {
    hasPointerBehaviours = true;
    const since = performance.now();
    loadBehaviours().then(({ startPointerBehaviours }) => startPointerBehaviours(since));
  }
}

for (const type of ["pointerover", "pointerdown", "focusin", "keydown"]) addEventListener(type, onInteraction, true);
onInteraction({ type: "focusin", target: document.activeElement });

// A button that copies or shows a password, boxes to choose, or a time.
if (document.querySelector("[data-copy],[data-sum],[data-show],time[datetime$=Z]"))
  loadBehaviours().then(({ startBehaviours }) => startBehaviours());

/** Corrects a form of another day: the server's estimate, or a tab that comes back after midnight. */
function followDay(isLater: boolean): void {
  const today = localToday();
  if (document.querySelector(`[data-today]:not([data-today="${today}"])`)) {
    loadBehaviours().then(({ correctToday }) => correctToday(today, isLater));
  }
}

followDay(false);
addEventListener("visibilitychange", () => followDay(true));

let queue: Promise<unknown> | undefined;

function startQueue(): Promise<unknown> {
  queue ??= loadEntry().then(({ startQueue }) => startQueue());
  return queue;
}

// For the pages without a signal: whose hours they are, and how old this page is. What was just saved waits no longer. The
// queue starts if there is more.
const user = document.querySelector<HTMLButtonElement>("[name=user]");
const saved = recordForm()?.dataset.saved;
inStore((rows) => {
  if (user) rows.put({ key: "", userId: user.value, at: performance.timeOrigin });
  if (saved) rows.delete(saved);
  return rows.count();
}).then(
  (count) => (saved || count > 1) && startQueue(),
  () => {},
);
addEventListener("online", startQueue);
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  followDay(true);
  startQueue();
});
