/** What a loader hands to its own page and to nothing else. */
export interface Held<Value> {
  readonly value: Value;
}

/**
 * Keeps a long list out of sight of Remix's encoder, which lists the properties of what a loader returns: it would write
 * all of it once more, for a client router that no page here has, and that was a fifth of a long log's time.
 */
export function held<Value>(value: Value): Held<Value> {
  return Object.defineProperty({}, "value", { value }) as Held<Value>; // as an object that lists none, it has that one
}
