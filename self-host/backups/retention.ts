import { isByHand, timeOf } from "./backup-name.ts";
import { dayIn } from "./schedule.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of backups, and the name of the period of which each is the last: a date, an ISO week, a month. */
const RULES: [count: number, periodOf: (day: string) => string][] = [
  [7, (day) => day],
  [4, mondayOf],
  [12, (day) => day.slice(0, 7)],
];

/** How long a backup that somebody took is kept at least: until an update has proved itself. */
const BY_HAND_MS = 30 * DAY_MS;

/**
 * Which backups may be deleted: all but the last ones of 7 days, of 4 weeks before those, and of 12 months before those,
 * 23 in all, and those of the last 30 days that somebody took. Periods without a backup do not count, so none of the 23 is
 * deleted because time has passed.
 */
export function expired(names: string[], zone: string, now: Date): string[] {
  const backups = names.flatMap((name) => {
    const taken = timeOf(name);
    return taken ? [{ name, taken: taken.getTime(), day: dayIn(zone, taken) }] : [];
  });
  backups.sort((a, b) => b.taken - a.taken);
  const kept = new Set<string>();
  const isRecent = (taken: number) => taken > now.getTime() - BY_HAND_MS;
  for (const [count, periodOf] of RULES) {
    let [left, last] = [count, ""];
    for (const { name, day } of backups) {
      const period = periodOf(day);
      if (period === last) continue;
      last = period;
      if (kept.has(name)) continue;
      if (left === 0) break;
      kept.add(name);
      left -= 1;
    }
  }
  return backups
    .filter(({ name, taken }) => !kept.has(name) && !(isByHand(name) && isRecent(taken)))
    .map(({ name }) => name);
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}
