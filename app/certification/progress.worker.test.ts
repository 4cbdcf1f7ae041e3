import { expect, test } from "vitest";
import { addDays, toCalendarDate } from "#app/calendar-date.ts";
import { batch, connect } from "#app/db/client.server.ts";
import { reportFigure } from "#tests/safe/figures.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import {
  countCertificates,
  countParts,
  countProgress,
  type LoggedCertificate,
  type LoggedRecord,
  type RandomLog,
  randomLog,
  storeLog,
} from "#tests/worker/random-progress.ts";
import { insert, userRow } from "#tests/worker/rows.ts";
import { progressFromRows, progressQueries } from "./progress.server.ts";
import { type ItemProgress, PARTS, progressOf } from "./progress.ts";
import type { TargetItem } from "./targets.table.ts";

/*
 * The sums of the database, and what becomes of them, against a count over the records (tests/worker/random-progress.ts).
 * Seen to fail with: `>` for `>=` at the first day of a span, the day's limit applied to each method, parts of a day
 * rounded to the nearest, and hours brought forward in the pace.
 */

const db = await startDatabase();
const orm = connect(db);
const TODAY = "2026-11-22";
const LOGS = Number(process.env.SAFE_LOGS) || 20;

let users = 0;

async function storedLog(log: RandomLog): Promise<number> {
  users += 1;
  const id = await insert(db, "users", userRow({ email: `t${users}@example.com` }));
  await db.batch(storeLog(db, id, log));
  return id;
}

async function progressOfUser(owner: number, today = TODAY) {
  const { targets, rows } = progressFromRows(await batch(orm, progressQueries(orm, owner, { today, year: 2026 })));
  return { rows, progress: await progressOf(targets.reverse(), rows, today) };
}

function facts({ verified, waiting, requested, endsOn, remaining, estimate, notCounted }: ItemProgress) {
  return { verified, waiting, requested, endsOn, remaining, estimate, notCounted };
}

test(`the progress of ${LOGS} random logs is what a count over their records gives`, async () => {
  let items = 0;
  const states = new Set<string>();
  for (let seed = 1; seed <= LOGS; seed += 1) {
    const log = randomLog(seed, TODAY);
    const { progress } = await progressOfUser(await storedLog(log));
    const counted = log.targets.map(({ since, items }) =>
      items.map((item) =>
        item.kind === "certificate"
          ? countCertificates(item, items, log.certificates ?? [], TODAY)
          : countProgress(item, since, log.records, TODAY),
      ),
    );
    expect([seed, progress.map((one) => one.items.map(facts))]).toEqual([seed, counted]);
    const parts = log.targets.map(({ items }, target) =>
      countParts(
        items.flatMap((item, index) => {
          const one = counted[target]?.[index];
          return one ? [{ item, counted: one }] : [];
        }),
        TODAY,
      ),
    );
    expect([seed, progress.map(({ parts }) => parts)]).toEqual([seed, parts]);
    for (const { part, state } of parts.flat()) states.add(`${part} ${state}`);
    items += counted.flat().length;
  }
  if (LOGS < 1_000) return;
  // Every state of every part was seen, but that hours end.
  const seen = ["met", "requested", "waiting", "missing", "none"];
  expect([...states]).toEqual(expect.arrayContaining(PARTS.flatMap((part) => seen.map((state) => `${part} ${state}`))));
  expect([...states]).toContain("vision ends_soon");
  expect(items).toBeGreaterThan(LOGS * 4);
  reportFigure("Progress against a count", `${LOGS.toLocaleString("en")} logs, ${items.toLocaleString("en")} items`);
}, 600_000);

const item = (over: Partial<TargetItem> = {}): TargetItem => ({
  title: "MT",
  clause: "",
  unit: "hours",
  kind: "entry",
  methods: ["MT"],
  required: 7000,
  ...{ category: null, part: null, level: null, withinYears: null },
  ...{ workedAs: null, standard: null },
  ...over,
});
const record = (over: Partial<LoggedRecord> = {}): LoggedRecord => ({
  kind: "entry",
  date: "2026-11-10",
  method: "MT",
  hours: 8,
  status: "verified",
  broughtForward: false,
  ...over,
});

/** The first item's progress in a log of its own. */
async function progressWith(records: LoggedRecord[], items: TargetItem[], since: string | null = null, today = TODAY) {
  const { progress } = await progressOfUser(await storedLog({ records, targets: [{ since, items }] }), today);
  return progress[0]?.items[0];
}

test("a technician without a record has everything to do, and without a target no progress", async () => {
  expect((await progressOfUser(await storedLog({ records: [], targets: [] }))).progress).toEqual([]);
  expect(await progressWith([], [item()])).toMatchObject({
    verified: 0,
    waiting: 0,
    remaining: 7000,
    estimate: null,
    notCounted: [],
    toAsk: { records: 0 },
  });
});

test("hours add up exactly: 10 records of 0.1 and 3 of 33.33 are 100.99", async () => {
  const records = [
    ...Array.from({ length: 10 }, () => record({ hours: 0.1 })),
    ...Array.from({ length: 3 }, () => record({ hours: 33.33 })),
  ];
  expect((await progressWith(records, [item({ required: 10_100 })]))?.verified).toBe(10_099);
});

test("of a day of 26 hours 12 count as days, verified hours first, and the others are listed with their reason", async () => {
  const day = [record({ hours: 10 }), record({ hours: 16, status: "pending" })];
  const found = await progressWith(day, [item({ unit: "days", required: 4500 })]);
  // 12 h ÷ 7 = 1.71 days in all, 10 h ÷ 7 = 1.42 of them verified.
  expect(found).toMatchObject({ verified: 142, waiting: 29, remaining: 4358 });
  expect(found?.notCounted).toEqual([{ reason: "over_12_hours_a_day", records: 2, hundredths: 1400 }]);
});

test("a day is shared by the methods of an item, and each item has a day of its own", async () => {
  const records = [record({ hours: 8 }), record({ hours: 8, method: "PT" })];
  const items = [
    item({ unit: "days", methods: ["MT", "PT"] }),
    item({ unit: "days", methods: ["MT"] }),
    item({ unit: "hours", methods: ["MT", "PT"] }),
  ];
  const { progress } = await progressOfUser(await storedLog({ records, targets: [{ since: null, items }] }));
  expect(progress[0]?.items.map(({ verified }) => verified)).toEqual([171, 114, 1600]);
});

test("315 hours are 45 days, and a hundredth of an hour less is not", async () => {
  const days = Array.from({ length: 45 }, (_, index) =>
    record({ date: `2026-0${1 + Math.floor(index / 28)}-${String((index % 28) + 1).padStart(2, "0")}`, hours: 7 }),
  );
  const target = [item({ unit: "days", required: 4500 })];
  expect(await progressWith(days, target)).toMatchObject({ verified: 4500, remaining: 0, estimate: null });
  const short = days.map((one, index) => (index === 0 ? { ...one, hours: 6.99 } : one));
  expect(await progressWith(short, target)).toMatchObject({ verified: 4499, remaining: 1 });
});

test("months are calendar months with a record, each counted once", async () => {
  const records = [
    record({ date: "2026-08-31" }),
    record({ date: "2026-09-01", status: "pending" }),
    record({ date: "2026-09-30", status: "requested" }),
    record({ date: "2026-10-01" }),
    record({ date: "2026-10-02", status: "pending" }),
    record({ date: "2026-11-01", status: "declined" }),
  ];
  expect(await progressWith(records, [item({ unit: "months", required: 600 })])).toMatchObject({
    verified: 200,
    waiting: 100,
    remaining: 400,
    notCounted: [{ reason: "declined", records: 1 }],
  });
});

test("rope hours belong to the month of their first day", async () => {
  const rope = record({ kind: "rope_hour", method: null, date: "2026-09-25" }); // it ends in October
  const months = item({ kind: "rope_hour", methods: [], unit: "months", required: 600 });
  expect((await progressWith([rope], [months]))?.verified).toBe(100);
  expect((await progressWith([rope], [{ ...months, unit: "hours" }], "2026-09-26"))?.notCounted).toEqual([
    { reason: "before_since", records: 1, hundredths: 800 },
  ]);
});

test("hours brought forward count in full as hours and days, not as months, and not for the pace", async () => {
  const records = [record({ hours: 700, broughtForward: true })];
  expect(await progressWith(records, [item({ required: 100_000 })])).toMatchObject({
    verified: 70_000,
    estimate: null,
  });
  expect(await progressWith(records, [item({ unit: "days", required: 18_000 })])).toMatchObject({
    verified: 10_000,
    notCounted: [],
  });
  expect(await progressWith(records, [item({ unit: "months", required: 600 })])).toMatchObject({
    verified: 0,
    notCounted: [{ reason: "brought_forward", records: 1, hundredths: 70_000 }],
  });
});

test("a record of the first of January counts where that day has come, and nowhere before", async () => {
  const instant = new Date("2026-12-31T23:30:00Z");
  const records = [record({ date: "2027-01-01" }), record({ date: "2026-12-31" })];
  const [auckland, honolulu] = ["Pacific/Auckland", "Pacific/Honolulu"].map((zone) => toCalendarDate(zone, instant));
  expect([auckland, honolulu]).toEqual(["2027-01-01", "2026-12-31"]);
  const target = [item({ unit: "months", required: 1200 })];
  expect(await progressWith(records, target, null, auckland)).toMatchObject({ verified: 200, notCounted: [] });
  expect(await progressWith(records, target, null, honolulu)).toMatchObject({
    verified: 100,
    notCounted: [{ reason: "in_the_future", records: 1, hundredths: 800 }],
  });
});

test("an estimate continues the verified hours of the last 90 days, today and the 90th day included", async () => {
  const days = [TODAY, "2026-08-25", "2026-10-01", "2026-10-01"];
  const records = days.map((date) => record({ date, hours: 7.5 }));
  const older = record({ date: "2026-08-24", hours: 500 });
  const waiting = record({ status: "pending", hours: 500 });
  // 30 h in 90 days; 40 h to go take 120 days.
  const found = await progressWith([...records, older, waiting], [item()], "2026-08-25");
  expect(found).toMatchObject({ remaining: 4000, waiting: 50_000, estimate: "2027-03-22" });
  expect((await progressWith([older], [item({ required: 90_000 })]))?.estimate).toBeNull();
  // More than ten years away.
  const little = days.map((date) => record({ date, hours: 0.1 }));
  expect((await progressWith(little, [item()]))?.estimate).toBeNull();
});

// Seen: 8 hours of one day named a month seven years away.
test("there is an estimate from 4 verified records on, of which the first and the last are 4 weeks apart", async () => {
  const estimate = async (days: string[], over: Partial<LoggedRecord> = {}) => {
    const others = days.slice(1).map((date) => record({ date }));
    const found = await progressWith([record({ date: days[0] ?? "", ...over }), ...others], [item()]);
    return found?.estimate ?? null;
  };
  const days = ["2026-10-23", "2026-10-23", "2026-11-19", "2026-11-20"]; // 28 days, in two months
  expect(await estimate(days)).toBe("2027-03-09");
  expect(await estimate(["2026-10-24", "2026-10-24", ...days.slice(2)])).toBeNull();
  expect(await estimate(days.slice(1))).toBeNull();
  expect(await estimate(days, { status: "requested" })).toBeNull();
  expect(await estimate(days, { method: "PT" })).toBeNull();
  expect(await estimate(["2026-11-20"], { hours: 60 })).toBeNull();
});

test("records that no item asks for are listed outside the target, without declined ones", async () => {
  const records = [
    record({ method: "PMI" }),
    record({ method: "PMI", hours: 2.5 }),
    record({ method: "LSI", status: "declined" }),
  ];
  const rope = record({ kind: "rope_hour", method: null });
  const { progress } = await progressOfUser(
    await storedLog({ records: [...records, rope], targets: [{ since: null, items: [item()] }] }),
  );
  expect(progress[0]?.outside).toEqual([{ kind: "entry", method: "PMI", records: 2, hundredths: 1050 }]);
});

test("hours worked as another level, or as none that is told, do not count and are listed with their reason", async () => {
  const levels = ["Level I", "Level II", "Trainee", null];
  const records = levels.map((level) => record({ level }));
  const target = [item({ workedAs: "Level I", unit: "months", required: 300 })];
  expect(await progressWith(records, target)).toMatchObject({
    verified: 100,
    notCounted: [{ reason: "other_level", records: 3, hundredths: 2400 }],
  });
  expect(await progressWith(records, [item({ workedAs: "Level I" })])).toMatchObject({ verified: 800, waiting: 0 });
  // A day's limit is of the hours that count.
  const day = [record({ level: "Level I", hours: 10 }), record({ level: "Level I", hours: 10 }), record({ hours: 20 })];
  const inDays = await progressWith(day, [item({ workedAs: "Level I", unit: "days" })]);
  expect([inDays?.verified, inDays?.notCounted]).toEqual([
    171,
    [
      { reason: "other_level", records: 1, hundredths: 2000 },
      { reason: "over_12_hours_a_day", records: 2, hundredths: 800 },
    ],
  ]);
});

test("a certificate counts for its standard however it is typed, and for no other; a higher level includes the lower", async () => {
  const paper = (standard: string | null, over: Partial<LoggedCertificate> = {}): LoggedCertificate => ({
    ...{ category: "certificate", issuedOn: "2026-01-10", expiresOn: null, method: "MT", level: "Level II" },
    ...{ part: null, score: null, status: "verified", standard },
    ...over,
  });
  const asked = item({
    ...{ kind: "certificate", unit: "valid", category: "certificate", required: 100 },
    ...{ standard: "ISO 9712:2021", level: "Level I" },
  });
  const progressWithPapers = async (certificates: LoggedCertificate[], of = asked) => {
    const { progress } = await progressOfUser(
      await storedLog({ records: [], certificates, targets: [{ since: null, items: [of] }] }),
    );
    return progress[0]?.items[0];
  };
  for (const typed of ["DIN EN ISO 9712:2012", "iso9712", "PCN", "SNT-TC-1A and ISO 9712"])
    expect([typed, await progressWithPapers([paper(typed)])]).toMatchObject([typed, { verified: 100, notCounted: [] }]);
  for (const typed of ["SNT-TC-1A", "NAS 410", null, "ISO 18490"])
    expect([typed, await progressWithPapers([paper(typed)])]).toMatchObject([
      typed,
      { verified: 0, notCounted: [{ reason: "other_standard", records: 1, hundredths: 0 }] },
    ]);
  expect(await progressWithPapers([paper("ISO 9712", { level: "Trainee" })])).toMatchObject({ verified: 0 });
  expect(await progressWithPapers([paper("ISO 9712")], { ...asked, level: "Level III" })).toMatchObject({
    verified: 0,
  });
  // An examination is of its own level alone.
  const exam = paper("ISO 9712", { category: "examination", part: "general", score: 9_000 });
  const mark = { ...asked, unit: "score" as const, category: null, part: "general" as const, required: 7_000 };
  expect(await progressWithPapers([exam], mark)).toMatchObject({ verified: 0, notCounted: [] });
  expect(await progressWithPapers([exam], { ...mark, level: "Level II" })).toMatchObject({ verified: 9_000 });
});

// Catches `+010359-05`, which is no date, and "Reached on NaN".
test("months since a certificate that are more than ten years away have no estimate", async () => {
  const paper: LoggedCertificate = {
    ...{ category: "certificate", issuedOn: "2026-01-10", expiresOn: null, method: "MT", level: "Level I" },
    ...{ part: null, score: null, status: "verified", standard: null },
  };
  const months = [130, 131, 100_000];
  const items = months.map((required) =>
    item({ kind: "certificate", unit: "elapsedMonths", category: "certificate", required: 100 * required }),
  );
  const log = { records: [], certificates: [paper], targets: [{ since: null, items }] };
  const { progress } = await progressOfUser(await storedLog(log));
  expect(progress[0]?.items.map(({ estimate }) => estimate)).toEqual(["2036-11-10", null, null]);
});

test("the days of a year are those of that year alone, without hours brought forward", async () => {
  const dates = ["2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01"];
  const records = [...dates.map((date) => record({ date })), record({ date: "2026-05-05", broughtForward: true })];
  const { rows } = await progressOfUser(await storedLog({ records, targets: [] }));
  expect(rows.days.map(({ date }) => date)).toEqual(["2026-01-01", "2026-12-31"]);
});

// Catches a row for each month of a log: 40,000 of them held the thread 80 times as long as a page of 100 records.
test("the sums are of months in the year that is shown alone, and name the months where a target counts them", async () => {
  const dates = ["2024-01-05", "2024-02-05", "2026-01-05", "2026-02-05"];
  const rope = { kind: "rope_hour", method: null } as const;
  const records = dates.flatMap((date) => [record({ date }), record({ date, ...rope })]);
  const monthsOf = async (items: TargetItem[]) => {
    const { rows } = await progressOfUser(await storedLog({ records, targets: [{ since: null, items }] }));
    return rows.months
      .map(({ kind, month, months, records }) => `${kind} ${month}: ${records} of ${months.sort().join(" and ")}`)
      .sort();
  };
  const years = (kind: string) => [`${kind} 2026-01: 1 of 2026`, `${kind} 2026-02: 1 of 2026`, `${kind} : 2 of 2024`];
  expect(await monthsOf([item()])).toEqual([...years("entry"), ...years("rope_hour")].sort());
  expect(await monthsOf([item({ ...rope, methods: [], unit: "months" })])).toEqual(
    [
      ...years("entry"),
      "rope_hour 2026-01: 1 of 2026-01",
      "rope_hour 2026-02: 1 of 2026-02",
      "rope_hour : 2 of 2024-01 and 2024-02",
    ].sort(),
  );
});

test("every sum of 100,000 entries is read from a covering index, and days above 12 hours only for a target of days", async () => {
  const id = await storedLog({ records: [], targets: [{ since: "2020-02-02", items: [item({ unit: "days" })] }] });
  const fill = `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
    SELECT ?, 'entry', date('2026-11-20', '-' || (value / 10) || ' days'), 'Rig', iif(value % 2, 'MT', 'PT'), 120, '', 0
    FROM json_each(?)`;
  const numbers = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
  await db.prepare(fill).bind(id, numbers).run();
  const { months, longDays, days, items, targets } = progressQueries(orm, id, { today: TODAY, year: 2026 });
  const read = [];
  if (!days) throw new Error("the days of a year were asked for");
  for (const query of [months, days, longDays, items, targets]) {
    const { sql, params } = query.toSQL();
    const plan = await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, ...params);
    for (const { detail } of plan) {
      expect([sql, detail]).toEqual([sql, expect.not.stringMatching(/^SCAN (?!span$|\(subquery|CONSTANT)/)]);
      if (/records/.test(detail)) expect(detail).toMatch(/COVERING INDEX records_by_date/);
    }
    read.push(await rowsRead(query));
  }
  // A group that is not in the index's order is sorted, and D1 counts a sorted row as read twice.
  const most = [200_060, 20 * 366, 100_050, 5, 5];
  expect(read.filter((count, index) => count > (most[index] ?? 0))).toEqual([]);
  await db
    .prepare("UPDATE target_items SET unit = 'hours' WHERE target_id IN (SELECT id FROM targets WHERE user_id = ?)")
    .bind(id)
    .run();
  expect(await rowsRead(longDays)).toBeLessThan(10);
});

async function rowsRead(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<number> {
  const { sql, params } = query.toSQL();
  const { meta } = await db
    .prepare(sql)
    .bind(...params)
    .all();
  return meta.rows_read;
}

test("of more than 1,000 certificates those issued last count, and hours count all", async () => {
  const certificate: LoggedCertificate = {
    ...{ category: "certificate", issuedOn: "2020-01-01", expiresOn: null, method: "MT", level: "Level II" },
    ...{ part: null, standard: null, score: null, status: "verified" },
  };
  const newer = Array.from({ length: 1_000 }, () => ({ ...certificate, issuedOn: "2026-01-01", method: "PT" }));
  const valid = item({ kind: "certificate", unit: "valid", category: "certificate", required: 100 });
  const records = Array.from({ length: 1_200 }, (_, day) => record({ date: addDays(TODAY, -day), hours: 1 }));
  const verifiedWith = async (certificates: LoggedCertificate[]) => {
    const targets = [{ since: null, items: [valid, { ...valid, methods: ["PT" as const] }, item()] }];
    const { progress } = await progressOfUser(await storedLog({ records, certificates, targets }));
    return progress[0]?.items.map(({ verified }) => verified);
  };
  expect(await verifiedWith([certificate, ...newer.slice(1)])).toEqual([100, 100, 120_000]);
  expect(await verifiedWith([certificate, ...newer])).toEqual([0, 100, 120_000]);
});
