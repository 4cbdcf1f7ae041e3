import { afterAll, expect } from "vitest";
import { reportFigure, search } from "#tests/safe/figures.ts";
import { startDatabase } from "./database.ts";
import { startFakeMailChannels } from "./fake-mailchannels.ts";
import { runSchedule, type ScheduleResult, tally } from "./mail-schedules.ts";

/*
 * The outbox under seeded schedules of faults. `npm run safe` runs 1,000 of them and prints the tally; this runs
 * the first few. Each of these broken versions was seen to fail here: a claim and a mark without their condition (two
 * sweeps send twice), a retry that forgets its unknown outcomes (a third copy), an email marked as sent before it is
 * (lost), an unknown outcome treated as success (lost), and a refused key treated as a refused email (not sent, though
 * the key was right an hour later).
 */

/** Runs that many schedules at once, each group with its own database and service. */
const GROUPS = 4;

const wanted = Number(process.env.MAIL_SCHEDULES) || 30;

async function runGroup(group: number): Promise<ScheduleResult[]> {
  const [database, service] = await Promise.all([startDatabase(), startFakeMailChannels()]);
  afterAll(() => service.close());
  const settings = {
    apiKey: "a key for tests",
    baseUrl: service.url,
    from: "hours@example.com",
    origin: "http://hours.example.com",
    timeout: 60_000,
  };
  const fates: ScheduleResult[] = [];
  for (let seed = 1 + group; seed <= wanted; seed += GROUPS) {
    service.reset();
    fates.push(await runSchedule(seed, database, service, settings));
  }
  return fates;
}

search(
  `in ${wanted} schedules of faults no email is lost, and none is sent twice if every outcome was known`,
  async () => {
    const fates = (await Promise.all(Array.from({ length: GROUPS }, (_, group) => runGroup(group)))).flat();
    const { wrong, ...figures } = tally(fates);
    if (process.env.MAIL_SCHEDULES) console.table(figures);
    expect(wrong).toEqual([]);
    expect(figures).toMatchObject({ schedules: wanted, lost: 0 });
    expect(figures.sent + figures.told).toBe(wanted);
    reportFigure(
      "Mail schedules",
      `${figures.lost} of ${wanted} lost, ${figures.doubled} doubled, each after an unknown outcome`,
    );
  },
  10 * 60_000 + wanted * 10_000,
);
