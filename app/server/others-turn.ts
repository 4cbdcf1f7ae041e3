/**
 * Lets other requests have their turn in the middle of long work: a Worker has one thread, and work that waits for nothing keeps
 * everybody else waiting.
 */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
