import type { NewEntry } from "#app/records/entry/entry.kind.ts";
import type { NewRopeHours } from "#app/records/rope-hours/rope-hours.kind.ts";
import type { Job } from "./jobs.ts";
import { pick, randomFrom } from "./random.ts";

/** The plan of a technician's log. */
export interface Plan {
  seed: number;
  /** In their order; together they take all the working days. */
  jobs: Job[];
  /** How many working days before today the log begins. */
  workDays: number;
  entries: Share;
  ropeHours: Share;
}

/** How many records of a kind there are: the newest are pending, those before are requested, nearly all others verified. */
interface Share {
  count: number;
  pending: number;
  requested: number;
}

/** A record of the demo and when its technician logs it, requests its verification, and has it verified. */
export interface PlannedRecord<Values> {
  values: Values;
  /** The index of its supervisor in `DEMO_SUPERVISORS`. */
  supervisor: number;
  loggedAt: Date;
  requestedAt: Date | null;
  verifiedAt: Date | null;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Among the verified entries each of this number is one that its technician has never sent to a supervisor. */
const FORGOTTEN = 29;

/** A technician's log up to `now`, the oldest record first. The same plan gives the same log, relative to `now`. */
export function yearOf(
  plan: Plan,
  now: Date,
): { entries: PlannedRecord<NewEntry>[]; ropeHours: PlannedRecord<NewRopeHours>[] } {
  const next = randomFrom(plan.seed);
  const days = weekdaysBefore(now, plan.workDays);
  const onRope = plan.jobs.filter(({ skills }) => skills !== null);
  const entries: { values: NewEntry; supervisor: number }[] = [];
  const ropeHours: { values: NewRopeHours; supervisor: number }[] = [];
  plan.jobs.forEach((job, index) => {
    const end = Math.floor(((index + 1) * plan.workDays) / plan.jobs.length);
    const list = entriesOf(job, shareOf(plan.entries.count, plan.jobs.length, index), days.slice(0, end), next);
    entries.push(...list.map((values) => ({ values, supervisor: job.supervisor })));
    if (job.skills === null) return;
    const count = shareOf(plan.ropeHours.count, onRope.length, onRope.indexOf(job));
    const periods = periodsOf(job.location, job.skills, count, [...new Set(list.map(({ date }) => date))], next);
    ropeHours.push(...periods.map((values) => ({ values, supervisor: job.supervisor })));
  });
  // The work of a week is logged on the evening of its last day.
  const lastOfWeek = new Map(entries.map(({ values }) => [weekOf(values.date), values.date]));
  return {
    entries: withTimes(plan.entries, entries, ({ date }) => lastOfWeek.get(weekOf(date)) ?? date, now, next),
    ropeHours: withTimes(plan.ropeHours, ropeHours, ({ endDate }) => endDate, now, next),
  };
}

/** Returns how many of `total` fall to one of `parts`. */
function shareOf(total: number, parts: number, index: number): number {
  return Math.floor(((index + 1) * total) / parts) - Math.floor((index * total) / parts);
}

/** The entries of a job that ends with the last of `days`: most on days of their own, some as a second method of a day. */
function entriesOf(job: Job, count: number, days: string[], next: () => number): NewEntry[] {
  const [main = "ET"] = job.methods;
  const [least, most] = job.hours;
  const drafts = Array.from({ length: count }, (_, index) => ({
    isSecond: index % 7 === 4,
    gap: next() < 0.7 ? 1 : 2,
    isSaturday: next() < 0.25,
    method: next() < 0.6 ? main : pick(next, job.methods),
    hours: least + Math.floor(next() * (2 * (most - least) + 1)) / 2,
    secondHours: 2.5 + Math.floor(next() * 4) / 2,
  }));
  const length = drafts.reduce((sum, { isSecond, gap }) => sum + (isSecond ? 0 : gap), 0);
  const list: NewEntry[] = [];
  let position = days.length - 1 - length;
  for (const { isSecond, gap, isSaturday, method, hours, secondHours } of drafts) {
    const before = list.at(-1);
    if (isSecond && before) {
      const other = job.methods.find((one) => one !== before.method) ?? main;
      before.hours = Math.min(before.hours, 8);
      list.push({ date: before.date, location: job.location, method: other, hours: secondHours, details: {} });
      continue;
    }
    position += gap;
    const day = days[Math.max(0, position)] ?? "";
    const date = isSaturday && new Date(day).getUTCDay() === 5 ? later(day, 1) : day;
    list.push({ date, location: job.location, method, hours, details: {} });
  }
  return list;
}

/** Periods of rope work on the days of a job, one after the other. */
function periodsOf(
  location: string,
  skills: string,
  count: number,
  dates: string[],
  next: () => number,
): NewRopeHours[] {
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * dates.length) / count);
    const behind = Math.floor(((index + 1) * dates.length) / count);
    const startDate = dates[first] ?? "";
    const endDate = dates[Math.max(first, behind - 1)] ?? "";
    const hours = Math.round(2 * Math.max(1, behind - first) * (3.5 + 3.5 * next())) / 2;
    return { startDate, endDate, location, skills, hours, details: {} };
  });
}

/** Adds the times of each record, which are never in the future. */
function withTimes<Values>(
  { pending, requested }: Share,
  list: { values: Values; supervisor: number }[],
  loggedOn: (values: Values) => string,
  now: Date,
  next: () => number,
): PlannedRecord<Values>[] {
  const past = (ms: number) => new Date(Math.min(ms, now.getTime() - 1000));
  return list.map(({ values, supervisor }, index) => {
    const fromEnd = list.length - 1 - index;
    const isPending = fromEnd < pending || fromEnd % FORGOTTEN === FORGOTTEN - 1;
    const isVerified = !isPending && fromEnd >= pending + requested;
    const logged = Date.parse(loggedOn(values)) + 17.4 * HOUR_MS;
    const verified = logged + (1 + Math.floor(next() * 4)) * DAY_MS + (14 + 6 * next()) * HOUR_MS;
    return {
      values,
      supervisor,
      loggedAt: past(logged),
      requestedAt: isPending ? null : past(logged + 13.2 * HOUR_MS),
      verifiedAt: isVerified ? past(verified) : null,
    };
  });
}

/** The last `count` days before today that are Monday to Friday, the oldest first. */
function weekdaysBefore(now: Date, count: number): string[] {
  const list: string[] = [];
  for (let date = later(now.toISOString().slice(0, 10), -1); list.length < count; date = later(date, -1)) {
    const day = new Date(date).getUTCDay();
    if (day !== 0 && day !== 6) list.unshift(date);
  }
  return list;
}

/** The Monday of a date's week. */
function weekOf(date: string): string {
  return later(date, -((new Date(date).getUTCDay() + 6) % 7));
}

function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
