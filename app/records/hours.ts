/**
 * Hours are stored with two decimals. Sums are made of integer hundredths, so that they are exact, and nothing is rounded
 * when it is shown: what is printed adds up (docs/decisions/0068-hours-as-typed-and-printed.md).
 */

export const HOURS_MAX = 100_000;

/** The minimum of an OJT entry (spec section 9), and of a training. */
export const HOURS_MIN = 0.1;

/** The hours of a day, in hundredths. */
export const DAY_MAX = 2_400;

/** From so many hours of one day, in hundredths, a form, its check and a supervisor's page say how many they are. */
export const LONG_DAY = 1_600;

export function toHundredths(hours: number): number {
  return Math.round(hours * 100);
}

/** Formats hundredths of an hour with one decimal, and with the second where it is not zero: `7.0`, `7.5`, `7.25`. */
export function formatHours(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/0$/, "");
}

/**
 * Returns a warning about a period with more hours than its days have, or for a supervisor or another reader (`isRead`) with
 * `LONG_DAY` or more a day; null for any other record. It is no verdict, as `longDayText` for an entry's date
 * (app/records/evidence.ts).
 */
export function longPeriodText(record: { [field: string]: unknown }, isRead = false): string | null {
  const { startDate, endDate, hours } = record;
  // Not by `daysBetween`: this file is in the chunk of all islands, and dates are needed without React (vite/islands-only.ts).
  const days = Math.round((Date.parse(String(endDate)) - Date.parse(String(startDate))) / 86_400_000) + 1;
  const hundredths = toHundredths(Number(hours));
  const isOver = hundredths > days * DAY_MAX;
  if (!(days > 0 && (isOver || (isRead && hundredths >= days * LONG_DAY)))) return null;
  const most = isOver ? "more than 24" : "16 or more";
  return `${formatHours(hundredths)} hours in ${days === 1 ? "1 day" : `${days} days`}: ${most} a day.`;
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
export const UNCLEAR_NUMBER = "Write a number such as 7.5 or 7,5, and 1500 (not 1,500)";

/** The same for hours. */
export const UNCLEAR_HOURS = "Write hours such as 7.5, 7,5 or 7:30, and 1500 (not 1,500)";

/** The longest text that can be a number. Normalizing takes quadratic time for many accents. */
const TYPED_MAX = 40;

/**
 * The text of a number in one width, with one kind of space, and with decimals for `½`. Null for a text that is too long, and
 * for one with the sign of a footnote, which would become a digit: `8¹` is not 81.
 */
export function plainNumber(text: string): string | null {
  if (text.length > TYPED_MAX || /[²³¹⁰-₉]/.test(text)) return null;
  return text
    .replace(/(\d*) ?([¼½¾])/, (_, whole, part) => `${whole || 0}.${{ "¼": 25, "½": 5 }[part as string] ?? 75}`)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * A number as a person types it in a form, as JSON has it: `7,5` becomes `7.5`, and `1 500` becomes `1500`. One comma or
 * point with one or two digits after it is the decimal mark. Null for a text that may mean something else: `1,500`, `1.000,5`,
 * `7:30`. A text without a digit is no number at all, and is returned as it is: each field has its own message for that.
 */
export function typedNumber(text: string): string | null {
  const typed = plainNumber(text)?.replace(/(?<=\d) (?=\d{3}(?!\d))/g, "");
  if (typed === undefined) return null;
  if (!/\d/.test(typed)) return typed;
  return /^[+-]?(\d+[.,]?|\d*[.,]\d\d?)$/.test(typed) ? typed.replace(",", ".") : null;
}

/** The words for hours and minutes in ten languages begin so: hours, heures, uur, timer, Stunden, ore, godziny. */
const HOURS = "(?!ta)(?:[hut]|st|or[ae]|godz)[a-z]*\\.?";
const MINUTES = "m[a-z]*\\.?";

/** Hours with their mark or word, minutes, seconds behind a colon, the unit of all, and seconds with a word, which are left out. */
const TIME = new RegExp(
  `^(?:pt)?(?:(\\d{1,6}) ?(:|${HOURS},?) ?)?(?:(\\d{1,4})(?::(\\d\\d))? ?(${MINUTES}|${HOURS})?)?(?: ?\\d\\d? ?s[a-z]*)?$`,
);

/**
 * The hours in a text that has a unit or a colon, not rounded: `7:30`, `7h30`, `7 h 30 min`, `450 min`, `8 Stunden`, `PT7H30M`;
 * `18:25 min` is 18 minutes and 25 seconds. Null for 60 minutes or more beside hours; undefined for any other text.
 */
export function hoursInWords(plain: string): number | null | undefined {
  const [all, hours, mark, minutes = "", seconds = "0", unit] = TIME.exec(plain) ?? [];
  const isMinutes = unit?.startsWith("m");
  if (!all || !(mark || isMinutes)) return undefined;
  if (!mark) return Number(minutes) / 60;
  if (mark === ":" && isMinutes) return Number(minutes) > 59 ? null : Number(hours) / 60 + Number(minutes) / 3600;
  // `7:3` and `7h3` may be 7.3, too.
  if (minutes.length !== 2 && (mark === ":" || (minutes && !unit && minutes !== "0"))) return null;
  return Number(minutes) > 59 || Number(seconds) > 59
    ? null
    : Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
}

const UNIT = new RegExp(`(?<=[\\d.,]) ?${HOURS}$`);

/** A number without the word for hours behind it. */
export function withoutUnit(plain: string): string {
  return plain.replace(UNIT, "");
}

/** `typedNumber` for hours, which people also write with a unit or a colon. Minutes become hundredths of an hour. */
export function typedHours(text: string): string | null {
  const plain = plainNumber(text);
  if (plain === null) return null;
  const hours = hoursInWords(plain);
  return typeof hours === "number"
    ? String(toHundredths(hours) / 100)
    : hours === null
      ? null
      : typedNumber(withoutUnit(plain));
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
