/**
 * Hours are stored with two decimals. Sums are made of integer hundredths, so that they are exact, and nothing is rounded
 * when it is shown: what is printed adds up (docs/decisions/0068-hours-as-typed-and-printed.md).
 */

export const HOURS_MAX = 100_000;

/** The minimum of an OJT entry (spec section 9), and of a training. */
export const HOURS_MIN = 0.1;

/** The hours of a day, in hundredths. */
export const DAY_MAX = 2_400;

export function toHundredths(hours: number): number {
  return Math.round(hours * 100);
}

/** Formats hundredths of an hour with one decimal, and with the second where it is not zero: `7.0`, `7.5`, `7.25`. */
export function formatHours(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/0$/, "");
}

/**
 * What a reader should know of a period whose hours are more than its days have; null of any other record. Rope hours end on
 * the day after their last day of work (spec section 5), a course on its last day. It is no verdict, as `longDayText` of an
 * entry's date (app/records/evidence.ts).
 */
export function longPeriodText(record: { [field: string]: unknown }): string | null {
  const { startDate, endDate, hours } = record;
  // Not by `daysBetween`: this file is in the chunk of all islands, and dates are needed without React (vite/islands-only.ts).
  const between = Math.round((Date.parse(String(endDate)) - Date.parse(String(startDate))) / 86_400_000);
  const days = between + ("course" in record ? 1 : 0);
  const hundredths = toHundredths(Number(hours));
  if (!(days > 0 && hundredths > days * DAY_MAX)) return null;
  return `${formatHours(hundredths)} hours in ${days === 1 ? "1 day" : `${days} days`}: more than 24 a day.`;
}

/** Whether a date is more than 10 years ago: the year may be a slip. One that is still typed, such as 0202, is not. */
export function isLongAgo(date: string, today: string): boolean {
  return date >= "1000" && date < `${Number(today.slice(0, 4)) - 10}${today.slice(4)}`;
}

/** The hours of a day of training or experience (ISO 9712:2021). */
export const HOURS_OF_A_DAY = 7;

/** Days in hundredths, from hours in hundredths: rounded down, so that no part of a day is shown that was not reached. */
export function daysOfHours(hundredths: number): number {
  return Math.floor(hundredths / HOURS_OF_A_DAY);
}

/** The message for a number in a form that could be read in two ways. */
export const UNCLEAR_NUMBER = "Write a number: 7.5 or 7,5 (not 7:30), 1500 (not 1,500)";

/** The longest text that can be a number. Normalizing takes quadratic time for many accents. */
const TYPED_MAX = 40;

/**
 * A number as a person types it in a form, as JSON has it: `7,5` becomes `7.5`, and `1 500` becomes `1500`. One comma or
 * point with one or two digits after it is the decimal mark. Null for a text that may mean something else: `1,500`, `1.000,5`,
 * `7:30`. A text without a digit is no number at all, and is returned as it is: each field has its own message for that.
 */
export function typedNumber(text: string): string | null {
  if (text.length > TYPED_MAX) return null;
  const typed = text
    .normalize("NFKC")
    .trim()
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, "");
  if (!/\d/.test(typed)) return typed;
  return /^[+-]?(\d+[.,]?|\d*[.,]\d\d?)$/.test(typed) ? typed.replace(",", ".") : null;
}

/** The same for hours, where people write the unit: `7,5 h`. */
export function typedHours(text: string): string | null {
  return typedNumber(text.trim().replace(/ ?h$/i, ""));
}

/**
 * The number in a body, or in a form by `typedNumber`, not rounded. It may be a string of digits with one point at most
 * ("7.5"): "1e2" is a slip of the keyboard rather than 100 hours. Null if it is not a number.
 */
export function parseHours(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  // Each digit can match in one way only: `\d+\.?\d*` would take minutes for a text of a million digits.
  if (typeof value !== "string" || !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/.test(value)) return null;
  return Number(value);
}
