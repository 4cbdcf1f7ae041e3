import { DAY_MS } from "#app/calendar-date.ts";
/** A time of day, `02:30`. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Whether a backup is missing: none was taken since this time of day was last reached in the time zone. So a night that
 * the machine was off is made up for at the next start. A backup of a clock that was far ahead counts as none.
 */
export function isDue(newest: Date | null, now: Date, timeOfDay: string, zone: string): boolean {
  if (newest === null || isFarAhead(newest, now)) return true;
  return newest < lastTime(now, timeOfDay, zone);
}

/** Whether a backup is "from the future", of a clock that was more than a day ahead. */
export function isFarAhead(taken: Date, now: Date): boolean {
  return taken.getTime() > now.getTime() + DAY_MS;
}

/** The last moment, not after `now`, at which clocks of the zone showed this time of day. */
export function lastTime(now: Date, timeOfDay: string, zone: string): Date {
  const today = dayIn(zone, now);
  const time = instantOf(today, timeOfDay, zone);
  if (time <= now) return time;
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10); // a day of 23 hours, too
  return instantOf(yesterday, timeOfDay, zone);
}

/** The date in a time zone, `2026-11-22`. */
export function dayIn(zone: string, time: Date): string {
  return new Date(shownIn(zone, time)).toISOString().slice(0, 10);
}

/** Making one takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}

/** What clocks of the zone show, as if it were UTC, in milliseconds. */
function shownIn(zone: string, time: Date): number {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The second step corrects the offset where it changes on that day; in a skipped hour the result is an hour off. */
function instantOf(day: string, timeOfDay: string, zone: string): Date {
  const wanted = Date.parse(`${day}T${timeOfDay}:00Z`);
  let time = wanted;
  for (let step = 0; step < 2; step += 1) time += wanted - shownIn(zone, new Date(time));
  return new Date(time);
}
