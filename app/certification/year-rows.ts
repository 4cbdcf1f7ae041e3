import type { Method } from "#app/db/enumerations.ts";
import { type DaySum, isWaiting, type MonthSum, sumOf } from "./progress-rows.ts";

/** The hours of a month with a method, in hundredths; declined ones are left out. */
interface MonthHours {
  /** `YYYY-MM` */
  month: string;
  kind: string;
  /** Null for kinds without a method. */
  method: Method | null;
  verified: number;
  waiting: number;
}

/**
 * Hours by month and method, oldest month first, from the sums of `progressQueries`. `from` and `to` are months, both
 * included; without them it covers all records, also those with a date in the future. Hours brought forward were worked in
 * other months, so they are left out.
 */
function hoursByMonth(rows: readonly MonthSum[], { from = "", to = ":" } = {}): MonthHours[] {
  const hours = new Map<string, MonthHours>();
  for (const row of rows) {
    const { month, kind, method, hundredths, status } = row;
    if (status === "declined" || row.broughtForward || month < from || month > to) continue;
    const key = `${month} ${kind} ${method}`;
    const sum = hours.get(key) ?? { month, kind, method, verified: 0, waiting: 0 };
    sum[isWaiting(row) ? "waiting" : "verified"] += hundredths;
    hours.set(key, sum);
  }
  return [...hours.values()].sort((one, other) => (one.month < other.month ? -1 : Number(one.month > other.month)));
}

/** Hours of a day, in hundredths: verified, logged and not verified, and declined. They are never added up. */
export interface DayHours {
  day: number;
  verified: number;
  waiting: number;
  declined: number;
}

/** A month of a chart: its hours in hundredths, and the verified ones by method. */
export interface ChartMonth {
  /** `YYYY-MM` */
  month: string;
  verified: number;
  waiting: number;
  byMethod: Partial<Record<Method, number>>;
}

/** The twelve months of a year, `YYYY-MM`. */
export function monthsIn(year: number): string[] {
  return Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`);
}

/** The twelve months of a year with the hours of one kind of record. */
export function chartMonths(year: number, kind: string, rows: readonly MonthSum[]): ChartMonth[] {
  const hours = hoursByMonth(rows, { from: `${year}-01`, to: `${year}-12` }).filter((row) => row.kind === kind);
  return monthsIn(year).map((month) => {
    const own = hours.filter((row) => row.month === month);
    return {
      month,
      verified: own.reduce((sum, { verified }) => sum + verified, 0),
      waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
      byMethod: Object.fromEntries(own.flatMap(({ method, verified }) => (method ? [[method, verified]] : []))),
    };
  });
}

/** The days of a month that have records of one kind. */
export function daysOfMonth(month: string, kind: string, rows: readonly DaySum[]): DayHours[] {
  const own = rows.filter((row) => row.kind === kind && row.date.startsWith(month));
  const dates = [...new Set(own.map(({ date }) => date))].sort();
  return dates.map((date) => {
    const ofDate = own.filter((row) => row.date === date);
    return {
      day: Number(date.slice(8)),
      verified: sumOf(ofDate.filter(({ status }) => status === "verified")),
      waiting: sumOf(ofDate.filter(isWaiting)),
      declined: sumOf(ofDate.filter(({ status }) => status === "declined")),
    };
  });
}

/** The number of days of a month, `YYYY-MM`, by the calendar and no time zone. */
export function daysIn(month: string): number {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const last = new Date(0);
  last.setUTCFullYear(year, number, 0); // `Date.UTC` takes years below 100 for the 1900s
  return last.getUTCDate();
}
