import type { Method } from "#app/db/enumerations.ts";
import { isWaiting, type MonthSum } from "./progress-rows.ts";

/** The hours of a month with a method, in hundredths; declined ones are left out. */
export interface MonthHours {
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
export function hoursByMonth(rows: readonly MonthSum[], { from = "", to = ":" } = {}): MonthHours[] {
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
