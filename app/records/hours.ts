/**
 * Hours are stored with two decimals and shown with one. Sums are made of integer hundredths, so that they are exact,
 * and rounded once, when shown.
 */

export const HOURS_MAX = 100_000;

export function toHundredths(hours: number): number {
  return Math.round(hours * 100);
}

/** Formats hundredths of an hour with one decimal, rounded half up: 25 is `0.3`. */
export function formatHours(hundredths: number): string {
  return (Math.round(hundredths / 10) / 10).toFixed(1);
}

/** The number in a field or a body, not rounded. It may be a string ("7.5"). Null if it is not a number. */
export function parseHours(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  // Each digit can match in one way only: `\d+\.?\d*` would take minutes for a text of a million digits.
  if (typeof text !== "string" || !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return null;
  return Number(text);
}
