/** How much of a figure is verified, in whole percent and at most 100, rounded down. Both are in hundredths of a unit. */
export function percentOf(verified: number, required: number): number {
  return Math.min(100, Math.floor((100 * verified) / required));
}
