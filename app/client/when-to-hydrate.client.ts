import { savesData } from "./save-data.client.ts";

/**
 * When an island is hydrated: at the first touch of it, or for `intent` when a pointer is over it already, except where
 * the browser is asked to save data.
 */
export type Moment = "interaction" | "intent";

/** Resolves when it is time to hydrate the island. */
export function whenToHydrate(island: HTMLElement): Promise<unknown> {
  // The person may have been quicker than this script.
  if (island.matches(":focus-within")) return Promise.resolve();
  const types = ["pointerdown", "focusin", "keydown"];
  if (island.dataset.when === "intent" && !savesData()) types.push("pointerover");
  return new Promise((resolve) => {
    for (const type of types) island.addEventListener(type, resolve, { once: true });
  });
}
