import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#app/calendar-date.ts";
import type { RequestRow } from "#app/verification/requests.table.ts";

/** When a supervisor is reminded of a request: on some days after it, at work, in their own time zone. */

/** On which days after a request its reminders are due. */
export const REMINDER_DAYS = [5, 12, 19] as const;

/** The hours of a supervisor's day in which a reminder may be sent: from the first until before the second. */
const [MORNING, EVENING] = [7, 19];
export const HOUR_MS = 60 * 60 * 1000;

/** How many days it is until Monday, on the days on which no reminder is sent. */
const WEEKEND: Record<string, number> = { Sat: 2, Sun: 1 };

/**
 * In SQL: when the reminder after `reminded` earlier ones is due, of a request that was sent at `asked`, in milliseconds; NULL
 * after the last.
 */
export function reminderAt(reminded: SQL, asked: SQL): SQL {
  const cases = REMINDER_DAYS.map((day, earlier) => sql`WHEN ${earlier} THEN ${asked} + ${day * DAY_MS}`);
  return sql`CASE ${reminded} ${sql.join(cases, sql` `)} END`;
}

/** The time zone of a request's supervisor: their last known one, else the technician's. */
export function timeZoneOf({
  supervisorTimeZone,
  timeZone,
}: Pick<RequestRow, "supervisorTimeZone" | "timeZone">): string {
  return supervisorTimeZone ?? timeZone ?? "UTC";
}

/**
 * The number of hours until a reminder may be sent in a time zone: from 7 to 19 h of a day from Monday to Friday; 0 if it may be
 * sent now. Where the clocks change meanwhile it is an hour too few or too many.
 */
export function hoursUntilWork(timeZone: string, now: Date): number {
  const hour = Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format(now));
  const dayOf = (at: Date) => new Intl.DateTimeFormat("en", { timeZone, weekday: "short" }).format(at);
  const wait = hour >= MORNING && hour < EVENING ? 0 : (MORNING - hour + 24) % 24;
  const weekend = WEEKEND[dayOf(new Date(now.getTime() + wait * HOUR_MS))] ?? 0;
  // From a Saturday or Sunday until the morning of the Monday.
  return weekend === 0 ? wait : wait + weekend * 24 - (wait === 0 ? hour - MORNING : 0);
}

/** When a reminder that is due at a time is sent at the earliest. */
export function reminderSentAt(request: Parameters<typeof timeZoneOf>[0], due: Date): Date {
  return new Date(due.getTime() + hoursUntilWork(timeZoneOf(request), due) * HOUR_MS);
}
