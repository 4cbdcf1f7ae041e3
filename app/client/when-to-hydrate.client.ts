import { savesData } from "./save-data.client.ts";

/**
 * When an island is hydrated: at the first interaction with it, or with `intent` as soon as a pointer is over it, unless
 * the browser saves data.
 */
export type Moment = "interaction" | "intent";

export function whenToHydrate(island: HTMLElement): Promise<unknown> {
  // The user may have focused it before this script ran.
  if (island.matches(":focus-within")) return Promise.resolve();
  const types = ["pointerdown", "focusin", "keydown"];
  if (island.dataset.when === "intent" && !savesData()) types.push("pointerover");
  return new Promise((resolve) => {
    for (const type of types) island.addEventListener(type, resolve, { once: true });
  });
}
