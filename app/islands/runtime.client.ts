import type { IslandModule } from "./hydrate.client.ts";
import { momentOf } from "./moment.client.ts";

/** Every island there is, by its path under `app/`. Nobody has to register one: it is enough that the file exists. */
const islands = import.meta.glob<IslandModule>("../**/*.island.tsx");

/** How long a click waits for its island. After that the page's own HTML answers it. */
const PATIENCE_MS = 8_000;

/** Brings each island of the page to life when its moment comes. React arrives with the first of them. */
export function startIslands(): void {
  for (const island of document.querySelectorAll<HTMLElement>("[data-island]")) {
    momentOf(island).then(() => wake(island));
  }
}

/**
 * An island that fails does so alone: its HTML stays as it was and works, and `island:error` says what happened. A file
 * that got lost was asked for twice by then (scripts/vite-islands.ts).
 */
async function wake(island: HTMLElement): Promise<void> {
  const release = holdClicks(island);
  const fail = (error: unknown) => {
    island.dispatchEvent(new CustomEvent("island:error", { bubbles: true, detail: error }));
  };
  try {
    const [{ hydrate }, module] = await Promise.all([
      import("./hydrate.client.ts"),
      islands[`../${island.dataset.island}.island.tsx`]?.(),
    ]);
    if (!module) throw new Error(`no island is called ${island.dataset.island}`);
    await hydrate(island, module, fail);
    island.dataset.awake = "";
  } catch (error) {
    fail(error);
  }
  release();
}

/**
 * Keeps a click on a button until the island can answer it, the click that woke it included. The last one is made
 * again when the returned function is called. Enter in a field counts: it clicks the form's first submit button.
 */
function holdClicks(island: HTMLElement): () => void {
  // By its place: React puts new elements there when the server's do not match.
  const buttons = () => [...island.querySelectorAll("button")];
  let held = -1;
  const hold = (event: Event) => {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = buttons().indexOf(button);
    island.setAttribute("aria-busy", "true");
  };
  const release = () => {
    island.removeEventListener("click", hold, true);
    island.removeAttribute("aria-busy");
    buttons()[held]?.click();
    held = -1;
  };
  island.addEventListener("click", hold, true);
  setTimeout(release, PATIENCE_MS);
  return release;
}
