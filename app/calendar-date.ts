/**
 * Calendar dates as text, `YYYY-MM-DD`. A date is the day that the user typed, in every time zone. It is converted to a
 * `Date` only to check or format it, and then always in UTC.
 */

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

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

/** The number of days from one date to another, which may be before it. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The date that is some days later, or earlier for a negative number. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The date that is some months earlier, at most the last day of that month: six months before 31 August is 28 February. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString().slice(0, 10);
}

/**
 * Returns how many whole months lie between two dates: from the 31st of a month to the 30th of the next is none yet.
 */
export function wholeMonths(from: string, to: string): number {
  const monthOf = (date: string) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7));
  return monthOf(to) - monthOf(from) - (to.slice(8) < from.slice(8) ? 1 : 0);
}

/** The first date on which that many whole months have passed: a month after 31 January it is 1 March. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const passed = new Date(0);
  passed.setUTCFullYear(year, month - 1 + months, day); // `Date.UTC` takes years below 100 for the 1900s
  if (passed.getUTCDate() !== day) passed.setUTCDate(1); // the month is too short
  return passed.toISOString().slice(0, 10);
}

/** The first day of the last years before a date: of the year before 29 February it is 1 March. */
export function yearsBefore(date: string, years: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const first = new Date(0);
  first.setUTCFullYear(year - years, month - 1, day); // `Date.UTC` takes years below 100 for the 1900s
  return first.toISOString().slice(0, 10);
}

/** `2026-11-21` as `21 Nov 2026`. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** `20 Nov 2026 to 21 Nov 2026`, or the date of a period of one day. */
export function formatPeriod(from: string, to: string): string {
  return from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** `2026-11-21` as `Sat 21 Nov 2026`, where people check a week. */
export function formatDay(date: string): string {
  return `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${formatDate(date)}`;
}

/** The first words of a day, where the others are shown beside it: `Sat 21 Nov` with three, `Sat 21` with two. */
export function shortDay(date: string, words: number): string {
  return formatDay(date).split(" ").slice(0, words).join(" ");
}

/** Returns how many words of a day (`shortDay`) do not repeat the month or the year of a later one beside it. */
export function wordsBefore(date: string, later: string): number {
  if (date.slice(0, 7) === later.slice(0, 7)) return 2;
  return date.slice(0, 4) === later.slice(0, 4) ? 3 : 4;
}

/** The month of `2026-11-21` or `2026-11` as `November 2026`. */
export function formatMonth(date: string): string {
  const [year, month] = date.split("-");
  return `${MONTH_NAMES[Number(month) - 1]} ${year}`;
}

/** The formats by time zone, because creating one is slow. An unknown time zone adds none. */
const DAYS = new Map<string, Intl.DateTimeFormat>();

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  // The Swedish date format is that of ISO 8601.
  const format = DAYS.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  DAYS.set(timeZone, format);
  return format;
}

/** The calendar date of an instant in a time zone (an IANA name; an unknown one counts as UTC). */
export function toCalendarDate(timeZone: string, instant: Date): string {
  try {
    return dayFormat(timeZone).format(instant);
  } catch {
    return instant.toISOString().slice(0, 10);
  }
}

/** An instant in the user's time zone: `21 Nov 2026, 14:05`. One that is not known is UTC, and named: `21 Nov 2026, 13:05 UTC`. */
export function formatInstant(timeZone: string, instant: Date): string {
  let time: string;
  try {
    time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(instant);
  } catch (error) {
    if (timeZone === "UTC") throw error; // it is not the zone: the instant is none
    return formatInstant("UTC", instant);
  }
  return `${formatDate(toCalendarDate(timeZone, instant))}, ${time}${timeZone === "UTC" ? " UTC" : ""}`;
}

/** Returns how many days ago an instant was, by the calendar of a time zone: `today`, `yesterday`, `3 days ago`. */
export function formatDaysAgo(timeZone: string, now: Date, instant: Date): string {
  const [from, to] = [instant, now].map((one) => Date.parse(toCalendarDate(timeZone, one)));
  const days = Math.round(((to ?? 0) - (from ?? 0)) / DAY_MS);
  if (days < 1) return "today";
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** Returns how many whole hours ago an instant was: `less than an hour ago`, `1 hour ago`, `2 hours ago`. */
export function formatHoursAgo(now: Date, instant: Date): string {
  const hours = Math.floor((now.getTime() - instant.getTime()) / 3_600_000);
  if (hours < 1) return "less than an hour ago";
  return hours === 1 ? "1 hour ago" : `${hours} hours ago`;
}
