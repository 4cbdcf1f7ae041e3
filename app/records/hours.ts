/**
 * Hours are kept with two decimals and shown with one. They are added as whole hundredths, so a sum is exact, and
 * rounded once, when shown.
 */

/** The most that one record can hold. */
export const HOURS_MAX = 100_000;

export function toHundredths(hours: number): number {
  return Math.round(hours * 100);
}

/** Hundredths of an hour as text with one decimal, half up: 25 is `0.3`. */
export function formatHours(hundredths: number): string {
  return (Math.round(hundredths / 10) / 10).toFixed(1);
}

/**
 * The number in a field or a body, as it is: a schema keeps two decimals of it (`boundedHours`). It may arrive as text
 * ("7.5"); what is no number is null.
 */
export function parseHours(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  // Each digit can be matched in one way only: with `\d+\.?\d*` a text of a million digits would take minutes.
  if (typeof text !== "string" || !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return null;
  return Number(text);
}
