import { startBusyButtons } from "#app/client/busy.client.ts";
import { holdClicks } from "#app/client/hold.client.ts";
import { localToday } from "#app/client/local-today.client.ts";
import { savesData } from "#app/client/save-data.client.ts";
import { announceToast } from "#app/client/toast.client.ts";
import type { RowState } from "#app/offline/row.ts";
import { inStore, put } from "#app/offline/store.client.ts";
import { recordForm, rowOf } from "#app/offline/typed.client.ts";

/**
 * Installs the service worker when the browser is idle. It fetches two pages, so not where the user saves data, and not in
 * a build with OFFLINE=off, whose worker removes itself.
 */
function registerWorker(): void {
  if (import.meta.env.OFFLINE === "off" || savesData()) return;
  (window.requestIdleCallback ?? setTimeout)(() => navigator.serviceWorker?.register("/sw.js").catch(() => {}));
}

/** The markup of a toast, as in `ui/page.tsx`. */
const OFFLINE =
  '<div class="toast error" role="alert"><strong>You are offline</strong>' +
  "Your entries are kept. Save them when there is a signal.</div>";

/** Stores the form's values. If the storage is blocked, they are still in the form. */
function keep(form: HTMLFormElement, state: RowState): void {
  put(rowOf(form, state)).catch(() => {});
}

/**
 * Keeps a form's values in the browser until the server confirms them, so that they survive a crash, an empty battery,
 * a failed request or an expired session. It is part of the inline script, because it must not miss the first key
 * press.
 */
function keepTyped(): void {
  // The user may have typed before this script ran, and React may replace the form later.
  const form = recordForm();
  if (form?.matches(":focus-within")) keep(form, "typed");
  addEventListener("input", ({ target }) => {
    const typed = (target as HTMLInputElement).form; // the target is a field
    if (typed?.dataset.draft) keep(typed, "typed");
  });
  addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement; // the target of a submit event is a form
    if (!sent.dataset.draft || event.defaultPrevented) return;
    // With a service worker the page that follows has the list of what is not sent yet, and a new form.
    const { onLine, serviceWorker } = navigator;
    const isSent = onLine || serviceWorker?.controller;
    // The button that saves has no name; those that add or remove a row have one.
    const isSaved = isSent && !(event.submitter as HTMLButtonElement | null)?.name;
    keep(sent, isSaved ? (onLine ? "sent" : "saved") : "typed");
    if (isSent) return;
    event.preventDefault();
    document.querySelector(".toast")?.remove();
    document.body.insertAdjacentHTML("afterbegin", OFFLINE);
  });
}

/**
 * Makes Escape follow the dialog's close link, or close the menu. Keeps the row or link that opens a dialog at its place on the screen: the
 * next page, with the dialog or after it, marks the same one by `data-at`.
 */
function startDialogs(): void {
  let opener = document.querySelector("[data-at]");
  const top = opener && sessionStorage.getItem("at");
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const keepPlace = () => {
    if (opener && top) scrollBy({ top: topOf(opener) - Number(top), behavior: "instant" });
  };
  keepPlace();
  // And once more when the rows above it are laid out, which the style sheet leaves until they come near the screen.
  requestAnimationFrame(() => setTimeout(keepPlace));
  addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && !target.closest("dialog")) opener = target.closest("tr,a");
    },
    true,
  );
  addEventListener("pagehide", () => {
    if (opener) sessionStorage.setItem("at", `${topOf(opener)}`);
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const close = document.querySelector<HTMLElement>("dialog .close,.menu[open] summary");
    close?.click();
    close?.focus();
  });
}

/*
 * The inline script of signed-in pages. It saves typed text and prevents double submits from the first interaction on.
 * The rest, islands included, is loaded at an interaction that needs it, or at once if the page needs a correction
 * (docs/decisions/0002-html-first-no-client-router.md).
 */

/** The URL of the client entry, and of React's file or "" (vite/inline-scripts.ts). */
declare const ENTRY: string;
declare const REACT: string;

type Entry = typeof import("#app/entry.client.tsx");

announceToast();
keepTyped();
startBusyButtons();
startDialogs();

// After the page itself, so that it is not delayed: a user who has only looked can log hours without a signal.
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

// For the pages without a signal: the user whose hours they are, and the age of this page. Records that were just saved
// leave the queue. The queue starts if there is more, and on the log that opens after hours were sent
// (signed-in-queue.client.ts).
const user = document.querySelector<HTMLButtonElement>("[name=user]");
const saved = recordForm()?.dataset.saved;
inStore((rows) => {
  if (user) rows.put({ key: "", userId: user.value, at: performance.timeOrigin });
  if (saved) rows.delete(saved);
  return rows.count();
}).then(
  (count) => (saved || sessionStorage.sent || count > 1) && startQueue(),
  () => {},
);
addEventListener("online", startQueue);
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  followDay(true);
  startQueue();
});
