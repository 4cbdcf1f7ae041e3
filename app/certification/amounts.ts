import type { TargetUnit } from "#app/db/enumerations.ts";
import { isWaiting, type LongDaySum, type MonthSum, sumOf } from "./progress-rows.ts";

/** ISO 9712:2021: a day of experience is at least 7 hours, and at most 12 hours of a calendar day count. */
export const HOURS_OF_A_DAY = 7;
export const DAY_HOURS_MAX = 12;

/** What counts towards an item, verified and waiting apart, in hundredths of its unit. */
export interface Amounts {
  verified: number;
  waiting: number;
}

/**
 * The amounts of an item from rows that count, without declined ones. `longDays` are the days over 12 hours of the same
 * records. Parts of a day are rounded down, so that neither amount nor their sum is ever shown as reached too early.
 */
export function amountsOf({ unit }: { unit: TargetUnit }, months: MonthSum[], longDays: LongDaySum[]): Amounts {
  if (unit === "months") {
    const verified = monthsOf(months.filter(isVerified));
    return { verified: 100 * verified, waiting: 100 * (monthsOf(months) - verified) };
  }
  const verified = sumOf(months.filter(isVerified));
  const waiting = sumOf(months.filter(isWaiting));
  if (unit !== "days") return { verified, waiting };
  const cut = cutOff(longDays);
  const verifiedDays = Math.floor((verified - cut.verified) / HOURS_OF_A_DAY);
  const allDays = Math.floor((verified + waiting - cut.verified - cut.waiting) / HOURS_OF_A_DAY);
  return { verified: verifiedDays, waiting: allDays - verifiedDays };
}

/**
 * The hours over 12 a day, in hundredths, and the number of records on those days. Verified hours count first, whatever
 * was logged first. The rows of a day stand together (`LongDaySum`), so that 10,000 days need one pass for each item.
 */
export function cutOff(rows: LongDaySum[]): Amounts & { records: number } {
  const cut = { verified: 0, waiting: 0, records: 0 };
  let day = { verified: 0, waiting: 0, records: 0 };
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as LongDaySum; // an iterator of pairs takes four times as long
    day.records += row.records;
    if (isVerified(row)) day.verified += row.hundredths;
    else if (isWaiting(row)) day.waiting += row.hundredths;
    if (rows[index + 1]?.date === row.date) continue;
    const counted = Math.min(day.verified, 100 * DAY_HOURS_MAX);
    const countedWaiting = Math.min(day.waiting, 100 * DAY_HOURS_MAX - counted);
    if (day.verified + day.waiting > counted + countedWaiting) {
      cut.verified += day.verified - counted;
      cut.waiting += day.waiting - countedWaiting;
      cut.records += day.records;
    }
    day = { verified: 0, waiting: 0, records: 0 };
  }
  return cut;
}

function isVerified({ status }: Pick<MonthSum, "status">): boolean {
  return status === "verified";
}

/** How many calendar months have a record. */
function monthsOf(rows: MonthSum[]): number {
  return new Set(rows.map(({ month }) => month)).size;
}
