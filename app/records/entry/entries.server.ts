import { type SQL, sql } from "drizzle-orm";
import { isCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { LONG_DAY } from "#app/records/hours.ts";
import type { Kind } from "#app/records/kind.ts";
import {
  IS_LIVE,
  isOwn,
  STATUS_CONDITIONS,
  SUM_OF_HOURS,
  SUMS_BY_STATUS,
  selectRecords,
} from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { parseId } from "#app/server/query.ts";
import { type Entry, entryKind } from "./entry.kind.ts";

/**
 * A user's totals per method: the number of entries, how many of them are pending, and their hours in all and by status, in hundredths. A covering index
 * answers the query.
 */
export function totalsByMethod(db: Db, owner: Owner) {
  return db
    .select({
      method: records.method,
      count: sql<number>`count(*)`.as("count"),
      unsent: sql<number>`count(*) FILTER (WHERE ${STATUS_CONDITIONS.pending})`.as("unsent"),
      ...SUMS_BY_STATUS,
    })
    .from(records)
    .where(isOwn(owner, entryKind))
    .groupBy(records.method);
}

export type MethodTotal = Awaited<ReturnType<typeof totalsByMethod>>[number];

/**
 * The query for the dates on which a user's entries add up to `LONG_DAY` or more, with their total in hundredths, without
 * hours brought forward. `where` restricts the entries.
 */
export function longDays(db: Db, owner: Owner, where: SQL = sql`1`) {
  return longDaysOf(db, sql`user_id = ${owner}`, where);
}

/** The same of several users: `whose` is the condition of `user_id`. */
export function longDaysOf(db: Db, whose: SQL, where: SQL) {
  return db
    .select({ userId: records.userId, date: records.date, hundredths: SUM_OF_HOURS.as("hundredths") })
    .from(records)
    .where(sql`${whose} AND kind = ${entryKind.name} AND ${IS_LIVE} AND brought_forward = 0 AND ${where}`)
    .groupBy(records.userId, records.date)
    .having(sql`sum(hours) >= ${sql.raw(String(LONG_DAY))}`);
}

export type LongDay = Omit<Awaited<ReturnType<typeof longDays>>[number], "userId">;

/** The most rows that *Log again* fills in. */
const AGAIN_MAX = 12;

/** The query for the entries that *Log again* repeats: those of a date, or the one with an id. Those brought forward are sums. */
export function entriesAgain(db: Db, owner: Owner, again: string) {
  const chosen = isCalendarDate(again) ? sql`date = ${again}` : sql`id = ${parseId(again)}`;
  return selectRecords(db, entryKind, {
    where: sql`user_id = ${owner} AND brought_forward = 0 AND ${chosen}`,
    orderBy: [sql`id`],
    limit: AGAIN_MAX,
  });
}

/** The query for the hours of a day of a user, in hundredths, without hours brought forward. */
export function hoursOfDay(db: Db, owner: Owner, date: SQL) {
  return db
    .select({ hundredths: SUM_OF_HOURS.as("hundredths") })
    .from(records)
    .where(sql`${isOwn(owner, entryKind)} AND brought_forward = 0 AND date = ${date}`);
}

/** Returns the total of a record's date, in hundredths, if the record counts to it and it is one of these long days. */
export function longDayIn(days: readonly LongDay[]): (kind: Kind, record: object) => number | null {
  const byDate = new Map(days.map(({ date, hundredths }) => [date, hundredths]));
  return (kind, record) => {
    if (kind.name !== entryKind.name) return null;
    const { date, broughtForward } = record as Pick<Entry, "date" | "broughtForward">; // the fields of its kind
    return broughtForward ? null : (byDate.get(date) ?? null);
  };
}
