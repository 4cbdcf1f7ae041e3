/**
 * Lets other requests have their turn in the middle of long work: a Worker has one thread, and work that waits for
 * nothing keeps all others waiting.
 */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Calls `work` for each item in order, and lets others have their turn after every `atOnce` of them. */
export async function inTurns<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await othersTurn();
    work(item);
  }
}
