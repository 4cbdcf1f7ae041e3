import { hasDrafts } from "#app/records/drafts/draft.client.ts";
import { keepDrafts } from "#app/records/drafts/keep-draft.client.ts";
import { startBusyButtons } from "./busy.client.ts";
import { startDialogs } from "./dialog.client.ts";
import { holdClicks } from "./hold.client.ts";
import { localToday } from "./local-today.client.ts";
import { savesData } from "./save-data.client.ts";

/*
 * What a signed-in page has inside itself: all that must not wait for a second request, so that from the first touch on
 * nothing typed is lost and nothing is sent twice. The rest, islands included, is fetched when somebody reaches for it,
 * or when there is something to put right before anyone does (docs/decisions/0014-a-starter-in-the-page.md).
 */

/** The address of the client's entry, and of React's file or "" (vite/inline-scripts.ts). */
declare const ENTRY: string;
declare const REACT: string;

type Entry = typeof import("#app/entry.client.tsx");

keepDrafts();
startBusyButtons();
startDialogs();

let entry: Promise<Entry> | undefined;

/** Asks twice: an address whose import has failed once fails for as long as the page lives. */
function bringEntry(): Promise<Entry> {
  entry ??= import(/* @vite-ignore */ ENTRY).catch(() => import(/* @vite-ignore */ `${ENTRY}?again`));
  return entry;
}

function bringBehaviours() {
  return bringEntry().then(({ behaviours }) => behaviours());
}

/** Islands that somebody has reached for, until the entry knows of them. */
let touched: Set<Element> | undefined;

function bringIslands(): Set<Element> {
  // Every island needs it, and it is most of what comes: it sets out together with the entry. Where it gets lost, it is
  // asked for again (vite/islands-only.ts).
  if (REACT) fetch(REACT).catch(() => {});
  const islands = new Set<Element>();
  const release = holdClicks(document);
  bringEntry()
    .then(({ startIslands }) => startIslands(islands))
    .catch(() => {}) // the page's own HTML answers
    .then(release);
  return islands;
}

let isReaching = false;

function reach({ type, target, pointerType }: Partial<PointerEvent>): void {
  if (!(target instanceof Element)) return;
  const isOver = type === "pointerover";
  const island = target.closest(isOver ? "[data-when=intent]" : "[data-island]");
  if (island && !(isOver && savesData())) {
    touched ??= bringIslands();
    touched.add(island);
  }
  const isMeant = !isOver || pointerType === "mouse";
  if (!isReaching && isMeant && target.closest(isOver ? "[data-tip],nav a" : "[data-live]")) {
    isReaching = true;
    const since = performance.now();
    bringBehaviours().then(({ startPointerBehaviours }) => startPointerBehaviours(since));
  }
}

for (const type of ["pointerover", "pointerdown", "focusin", "keydown"]) addEventListener(type, reach, true);
reach({ type: "focusin", target: document.activeElement });
if (document.querySelector("[data-when=load],[data-when=idle],[data-when=visible]")) touched ??= bringIslands();

const today = localToday();
const isAnotherDay = document.querySelector(`[data-today]:not([data-today="${today}"])`);
if (hasDrafts() || isAnotherDay || document.querySelector("[data-copy]")) {
  bringBehaviours().then(({ startBehaviours }) => startBehaviours(today));
}
