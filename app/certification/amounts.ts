import type { TargetUnit } from "#app/db/enumerations.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { daysOfHours } from "#app/records/hours.ts";
import { hasMethods } from "#app/records/kind.ts";
import { isWaiting, type LongDaySum, type MonthSum, sumOf } from "./progress-rows.ts";
import type { TargetItem } from "./targets.table.ts";

/** ISO 9712:2021: at most 12 hours of a calendar day count. */
export const DAY_HOURS_MAX = 12;

/** An estimate that is further away says nothing, in days. */
export const ESTIMATE_DAYS_MAX = 3_650;

/** What counts towards an item, verified and waiting apart, in hundredths of its unit. */
interface Amounts {
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
  const verifiedDays = daysOfHours(verified - cut.verified);
  const allDays = daysOfHours(verified + waiting - cut.verified - cut.waiting);
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

/** Whether an item asks for OJT hours. */
export const isOjtHours = ({ unit, kind }: Pick<TargetItem, "unit" | "kind">) =>
  unit === "hours" && hasMethods(kindNamed(kind));

/** Hours that are asked for in some methods, worked as a level or as any. */
interface Asked extends Pick<TargetItem, "methods" | "workedAs"> {
  amount: number;
}

/**
 * The least hours that meet all that is asked for: an hour counts for every item that has its method, so a total of all methods
 * covers the hours of each of them. Of items that share hours the larger one counts, or the sum of what it covers, if that is more.
 */
export function leastHours(items: readonly Asked[]): number {
  const shares = (one: Asked, other: Asked) =>
    one.methods.some((method) => other.methods.includes(method)) &&
    (one.workedAs === other.workedAs || one.workedAs === null || other.workedAs === null);
  const covers = (one: Asked, other: Asked) =>
    other.methods.every((method) => one.methods.includes(method)) &&
    (one.workedAs === null || one.workedAs === other.workedAs);
  let groups: Asked[] = [];
  // Those that cover others come after them.
  const breadth = ({ methods, workedAs }: Asked) => 2 * methods.length + (workedAs === null ? 1 : 0);
  for (const item of [...items].sort((one, other) => breadth(one) - breadth(other))) {
    const same = groups.filter((group) => shares(group, item));
    const covered = same.filter((group) => covers(item, group)).reduce((sum, { amount }) => sum + amount, 0);
    const others = same.filter((group) => !covers(item, group));
    groups = [
      ...groups.filter((group) => !shares(group, item)),
      {
        methods: [...new Set([item, ...same].flatMap(({ methods }) => methods))],
        workedAs: others.every(({ workedAs }) => workedAs === item.workedAs) ? item.workedAs : null,
        amount: Math.max(item.amount, covered, ...others.map(({ amount }) => amount)),
      },
    ];
  }
  return groups.reduce((sum, { amount }) => sum + amount, 0);
}

function isVerified({ status }: Pick<MonthSum, "status">): boolean {
  return status === "verified";
}

/** How many calendar months have a record. */
function monthsOf(rows: MonthSum[]): number {
  return new Set(rows.flatMap(({ months }) => months)).size;
}
