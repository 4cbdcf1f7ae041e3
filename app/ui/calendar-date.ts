/**
 * Calendar dates: `YYYY-MM-DD` as text. A date is the day that somebody typed, in every time zone, so it is never
 * turned into an instant but to be checked or named, and then always in UTC.
 */

const MONTH_NAMES = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));

/** Whether the text is a date that exists: 2026-02-30 does not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `2026-11-21` as `21 Nov 2026`. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** The month of `2026-11-21` as `November 2026`. */
export function formatMonth(date: string): string {
  const [year, month] = date.split("-");
  return `${MONTH_NAMES[Number(month) - 1]} ${year}`;
}

/** Each takes longer to make than many a page. There are no more of them than zones: an unknown one makes none. */
const DAYS = new Map<string, Intl.DateTimeFormat>();

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  // Sweden writes its dates as ISO 8601 does.
  const format = DAYS.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  DAYS.set(timeZone, format);
  return format;
}

/** The day that it is at an instant in a time zone (an IANA name; one that is unknown counts as UTC). */
export function toCalendarDate(timeZone: string, instant: Date): string {
  try {
    return dayFormat(timeZone).format(instant);
  } catch {
    return instant.toISOString().slice(0, 10);
  }
}

/** An instant as a person in that time zone reads it: `21 Nov 2026, 14:05`. */
export function formatInstant(timeZone: string, instant: Date): string {
  let time: string;
  try {
    time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(instant);
  } catch {
    return formatInstant("UTC", instant);
  }
  return `${formatDate(toCalendarDate(timeZone, instant))}, ${time}`;
}
