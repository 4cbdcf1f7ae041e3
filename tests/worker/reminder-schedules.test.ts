import { afterAll, expect } from "vitest";
import { reportFigure, search } from "#tests/safe/figures.ts";
import { startDatabase } from "./database.ts";
import { startFakeMailChannels } from "./fake-mailchannels.ts";
import { type Arrived, runReminders } from "./reminder-schedules.ts";

/*
 * The emails of a supervisor in 36 days while emails fail. Each of these broken versions was seen to fail here:
 * reminders without their limit of one a day, notices without theirs, and other emails without theirs of five. A fourth
 * reminder of a request is also refused by the table. A reminder that is sent on another day than it was made for is
 * not found here: the limit of one a day holds all the same.
 */

const GROUPS = 4;
const wanted = Number(process.env.MAIL_SCHEDULES) || 4;
const DAY = 24 * 60 * 60 * 1000;

const ofKind = (arrived: Arrived[], kind: string) => arrived.filter((email) => email.kind === kind);

/** Returns the faults of a schedule. */
function wrongIn({ arrived, timeZone, requests, untold }: Awaited<ReturnType<typeof runReminders>>): string[] {
  const reminders = ofKind(arrived, "verification_reminder");
  const parts = ({ at }: Arrived) => {
    const day = new Intl.DateTimeFormat("sv", { timeZone }).format(at);
    return {
      day,
      weekday: new Intl.DateTimeFormat("en", { timeZone, weekday: "short" }).format(at),
      hour: Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format(at)),
    };
  };
  const days = reminders.map((email) => parts(email).day);
  const tooOften = Array.from({ length: requests }, (_, number) => number).filter(
    (number) => reminders.filter(({ requests }) => requests.includes(number)).length > 3,
  );
  const mostNotices = mostInADay(ofKind(arrived, "supervisor_notice"));
  const mostOthers = mostInADay(arrived.filter(({ kind }) => kind !== "supervisor_notice"));
  const atWeekend = reminders.filter((email) => ["Sat", "Sun"].includes(parts(email).weekday));
  const atNight = reminders.filter((email) => parts(email).hour < 7 || parts(email).hour >= 19);
  return [
    ...(new Set(days).size < days.length ? [`two reminders on a day: ${days.join(", ")}`] : []),
    ...tooOften.map((number) => `more than three reminders of request ${number}`),
    ...(mostNotices > 1 ? [`${mostNotices} notices within 24 hours`] : []),
    ...(mostOthers > 5 ? [`${mostOthers} other emails within 24 hours`] : []),
    ...(untold > 0 ? [`${untold} answers that no notice told`] : []),
    ...atWeekend.map(({ at }) => `a reminder on a weekend: ${new Date(at).toISOString()} in ${timeZone}`),
    ...atNight.map(({ at }) => `a reminder at night: ${new Date(at).toISOString()} in ${timeZone}`),
  ];
}

async function runGroup(group: number) {
  const [database, service] = await Promise.all([startDatabase(), startFakeMailChannels()]);
  afterAll(() => service.close());
  const settings = {
    apiKey: "a key for tests",
    baseUrl: service.url,
    from: "hours@example.com",
    origin: "http://hours.example.com",
    timeout: 60_000,
  };
  const found = [];
  for (let seed = 1 + group; seed <= wanted; seed += GROUPS) {
    service.reset();
    const result = await runReminders(seed, database, service, settings);
    found.push({ seed, wrong: wrongIn(result), ...result });
  }
  return found;
}

search(
  `in ${wanted} schedules of faults a supervisor gets at most one reminder a day, by day, three for a request, one notice and five other emails a day, and all notices`,
  async () => {
    const found = (await Promise.all(Array.from({ length: GROUPS }, (_, group) => runGroup(group)))).flat();
    expect(found.filter(({ wrong }) => wrong.length > 0).map(({ seed, wrong }) => [seed, wrong])).toEqual([]);
    const all = found.flatMap(({ arrived }) => arrived);
    const [reminders, notices] = [ofKind(all, "verification_reminder"), ofKind(all, "supervisor_notice")];
    expect([reminders.length > wanted, notices.length > 0]).toEqual([true, true]);
    const most = Math.max(...found.map(({ arrived }) => mostInADay(arrived)));
    reportFigure(
      "Reminders under mail faults",
      `${reminders.length} reminders in ${wanted} schedules, at most 1 a day and 3 for a request; at most ${most} emails a day`,
    );
  },
  10 * 60_000 + wanted * 10_000,
);

/** The most emails within 24 hours. */
function mostInADay(arrived: Arrived[]): number {
  return Math.max(
    0,
    ...arrived.map(({ at }) => arrived.filter((other) => other.at >= at && other.at < at + DAY).length),
  );
}
