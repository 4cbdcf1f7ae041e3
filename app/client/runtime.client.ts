import { holdClicks } from "./hold.client.ts";
import type { IslandModule } from "./hydrate.client.ts";
import { whenToHydrate } from "./when-to-hydrate.client.ts";

/** Every island there is, by its path under `app/`. Nobody has to register one: it is enough that the file exists. */
const islands = import.meta.glob<IslandModule>("../**/*.island.tsx");

/**
 * Brings each island of the page to life when its moment comes. React arrives with the first of them.
 * @param touched those that somebody has reached for already
 */
export function startIslands(touched: Set<Element>): void {
  for (const island of document.querySelectorAll<HTMLElement>("[data-island]")) {
    // At once, so that the click which waits for it finds it waking.
    if (touched.has(island)) wake(island);
    else whenToHydrate(island).then(() => wake(island));
  }
}

/**
 * An island that fails does so alone: its HTML stays as it was and works, and `island:error` says what happened. A file
 * that got lost was asked for twice by then (vite/islands-only.ts).
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
