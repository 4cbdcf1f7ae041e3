import { expect, test } from "vitest";
import { backupName, completeBackups, noteOf, timeOf } from "#self-host/backups/backup-name.ts";
import { isDue, lastTime } from "#self-host/backups/schedule.ts";
import { expired } from "#self-host/backups/take.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ZONE = "Europe/Oslo";

const dayOf = (name: string) => name.slice("hours-tracker-".length, "hours-tracker-2026-11-22".length);

/** Returns the backups that are left after a backup each night, except in the nights that are skipped. */
function afterNights(count: number, isSkipped: (night: number) => boolean = () => false): string[] {
  let kept: string[] = [];
  for (let night = 0; night < count; night += 1) {
    if (isSkipped(night)) continue;
    kept.push(backupName(new Date(Date.parse("2024-11-23T12:00:00Z") + night * DAY_MS), false));
    const gone = new Set(expired(kept, ZONE, timeOf(kept.at(-1) ?? "") ?? new Date()));
    kept = kept.filter((name) => !gone.has(name));
    expect(kept.length).toBeLessThanOrEqual(23);
  }
  return kept.map(dayOf).reverse();
}

test("after two years of nights the last 7 days, 4 weeks and 12 months are left", () => {
  const kept = afterNights(730); // the last night is Sunday, 22 November 2026
  const days = ["22", "21", "20", "19", "18", "17", "16"].map((day) => `2026-11-${day}`);
  const sundays = ["2026-11-15", "2026-11-08", "2026-11-01", "2026-10-25"];
  const ends = [
    ...["2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30", "2026-05-31", "2026-04-30", "2026-03-31"],
    ...["2026-02-28", "2026-01-31", "2025-12-31", "2025-11-30"],
  ];
  expect(kept).toEqual([...days, ...sundays, ...ends].sort().reverse());
});

test("nights without a backup, and years without one, delete nothing", () => {
  const kept = afterNights(730, (night) => night >= 400 && night < 720);
  expect(kept).toHaveLength(23);
  expect(kept.slice(0, 7)).toEqual(["22", "21", "20", "19", "18", "17", "16"].map((day) => `2026-11-${day}`));
  expect(kept.slice(7, 10)).toEqual(["2026-11-15", "2025-12-27", "2025-12-21"]);
  expect(kept.at(-1)).toBe("2024-12-31");
});

test("the last of several backups of a day is kept, by the day of the time zone", () => {
  const at = (time: string) => backupName(new Date(time), true);
  // 23:30 in UTC is the next day in Oslo.
  const names = [at("2026-11-20T02:30:00Z"), at("2026-11-20T12:00:00Z"), at("2026-11-20T23:30:00Z")];
  const now = new Date("2026-11-21T12:00:00Z");
  expect(expired(names, ZONE, now)).toEqual([names[0]]);
  expect(expired(names, "UTC", now)).toEqual([names[1], names[0]]);
});

// Detects what happened to the backup of before an update: the next of the same day deleted it.
test("a backup taken by hand, or before a new version, is kept for 30 days, whatever else is deleted, and then as any other", () => {
  const byHand = [backupName(new Date("2026-11-20T08:00:00Z"), false, "by-hand")];
  byHand.push(backupName(new Date("2026-11-20T09:00:00Z"), true, "before-1.2.0"));
  const others = [
    backupName(new Date("2026-11-20T10:00:00Z"), false),
    backupName(new Date("2026-11-20T11:00:00Z"), false),
  ];
  const all = [...byHand, ...others];
  expect(completeBackups(all.flatMap((name) => [name, noteOf(name)]))).toEqual([...all].reverse());
  expect(expired(all, ZONE, new Date("2026-11-20T12:00:00Z"))).toEqual([others[0]]);
  expect(expired(all, ZONE, new Date("2026-12-20T07:00:00Z"))).toEqual([others[0]]);
  expect(expired(all, ZONE, new Date("2026-12-20T10:00:00Z"))).toEqual([others[0], byHand[1], byHand[0]]);
  // An operator who takes all backups by hand keeps the last ones of days, weeks and months, too.
  expect(expired(byHand, ZONE, new Date("2027-12-20T10:00:00Z"))).toEqual([byHand[0]]);
});

// Detects a half-written backup that pushes a good one out.
test("a backup without its note does not count, and other files are left alone", () => {
  const good = backupName(new Date("2026-11-20T02:30:00Z"), false);
  const half = backupName(new Date("2026-11-20T12:30:00Z"), false);
  const names = [good, noteOf(good), half, noteOf("other"), "other", "hours-tracker-2026-13-45T99-00-00Z.sql.gz"];
  expect(completeBackups(names)).toEqual([good]);
  expect(expired(completeBackups(names), ZONE, new Date("2026-11-20T12:31:00Z"))).toEqual([]);
});

test("a name is the time of its backup", () => {
  const taken = new Date("2026-11-22T02:30:07.900Z");
  expect(backupName(taken, false)).toBe("hours-tracker-2026-11-22T02-30-07Z.sql.gz");
  expect(backupName(taken, true, "by-hand")).toBe("hours-tracker-2026-11-22T02-30-07Z-by-hand.sql.gz.enc");
  expect(backupName(taken, false, "before-1.2.0")).toBe("hours-tracker-2026-11-22T02-30-07Z-before-1.2.0.sql.gz");
  for (const reason of [null, "by-hand", "before-1.2.0"] as const)
    expect(timeOf(backupName(taken, true, reason))).toEqual(new Date("2026-11-22T02:30:07Z"));
  for (const name of [
    "latest",
    "../signing-key",
    "hours-tracker-2026-11-22.sql.gz",
    `${backupName(taken, true)}.json`,
  ]) {
    expect([name, timeOf(name)]).toEqual([name, null]);
  }
});

test("a backup is due when the time of day has passed since the last one, in the operator's time zone", () => {
  const due = (newest: string | null, now: string, zone = ZONE) =>
    isDue(newest ? new Date(newest) : null, new Date(now), "02:30", zone);
  expect(due(null, "2026-11-22T12:00:00Z")).toBe(true);
  // 02:30 in Oslo is 01:30 in UTC in winter, 00:30 in summer.
  expect(due("2026-11-21T01:30:10Z", "2026-11-22T01:29:00Z")).toBe(false);
  expect(due("2026-11-21T01:30:10Z", "2026-11-22T01:30:00Z")).toBe(true);
  expect(due("2026-07-20T00:30:10Z", "2026-07-21T00:30:00Z")).toBe(true);
  expect(due("2026-07-20T00:30:10Z", "2026-07-21T00:29:00Z")).toBe(false);
  expect(due("2026-11-21T02:30:10Z", "2026-11-22T02:29:00Z", "UTC")).toBe(false);
  // After days of downtime, at any time of day; and once only.
  expect(due("2026-11-10T01:30:10Z", "2026-11-22T17:00:00Z")).toBe(true);
  expect(due("2026-11-22T17:00:00Z", "2026-11-22T17:01:00Z")).toBe(false);
  // A clock that was a year ahead must not stop backups for a year.
  expect(due("2027-11-22T01:30:00Z", "2026-11-22T12:00:00Z")).toBe(true);
});

test("each night has its moment, also when the clocks change", () => {
  for (const zone of [ZONE, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]) {
    let last = 0;
    for (let hour = 0; hour < 24 * 366; hour += 5) {
      const now = new Date(Date.parse("2026-01-10T00:10:00Z") + hour * 3_600_000);
      const time = lastTime(now, "02:30", zone);
      expect(time <= now && now.getTime() - time.getTime() <= 26 * 3_600_000).toBe(true);
      expect(time.getTime()).toBeGreaterThanOrEqual(last);
      last = time.getTime();
    }
  }
});
