import { holdClicks } from "./hold.client.ts";
import type { IslandModule } from "./hydrate.client.ts";
import { whenToHydrate } from "./when-to-hydrate.client.ts";

/** All islands, by their path under `app/`. */
const islands = import.meta.glob<IslandModule>("../**/*.island.tsx");

/**
 * Hydrates each island of the page when it is time (`whenToHydrate`). The first of them loads React.
 * @param touched the islands that the user has already interacted with
 */
export function startIslands(touched: Set<Element>): void {
  for (const island of document.querySelectorAll<HTMLElement>("[data-island]")) {
    // At once, because a click is waiting for it.
    if (touched.has(island)) hydrateIsland(island);
    else whenToHydrate(island).then(() => hydrateIsland(island));
  }
}

/**
 * Hydrates one island. If that fails, its HTML stays and works, other islands are not affected, and an `island:error` event
 * reports the error. A file that fails to load is requested twice (vite/islands-only.ts).
 */
async function hydrateIsland(island: HTMLElement): Promise<void> {
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
    island.dataset.hydrated = "";
  } catch (error) {
    fail(error);
  }
  release();
}
