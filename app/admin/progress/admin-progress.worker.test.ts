import { expect, test } from "vitest";
import { PRESETS } from "#app/certification/presets/presets.ts";
import { batch, connect } from "#app/db/client.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { textsOf } from "#tests/worker/html.ts";
import { countProgress, randomLog, storeLog } from "#tests/worker/random-progress.ts";
import { insert, userRow } from "#tests/worker/rows.ts";
import { listProgress } from "./progress-list.server.ts";
import { type ProgressView, percentOf, presetNamed, progressViewAt, sortsOf } from "./progress-view.ts";

const TODAY = "2026-11-22";
const db = await startDatabase();
const orm = connect(db);
const admin = await insert(db, "users", userRow({ email: "admin@example.com", name: "Admin", is_admin: 1 }));
const technicians = await fillTechnicians(30);

async function fillTechnicians(count: number) {
  const list = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const name = `Technician ${String.fromCharCode(65 + ((seed * 7) % 26))}${seed}`;
    const row = userRow({ email: `t${seed}@example.com`, name, search: name.toLowerCase() });
    const id = await insert(db, "users", row);
    const log = randomLog(seed, TODAY);
    await db.batch(storeLog(db, id, log));
    list.push({ id, name, records: log.records });
  }
  return list;
}

const viewOf = (params: string): ProgressView => progressViewAt(new URL(`http://x/admin/progress?${params}`));
const query = (params: string, { viewer = admin, limit = 100, offset = 0 } = {}) =>
  listProgress(orm, viewer, viewOf(params), { today: TODAY, limit, offset });

async function list(...args: Parameters<typeof query>) {
  return (await batch(orm, { list: query(...args) })).list;
}

test("every technician's hours, last entry and verified amounts are what a count over their records gives", async () => {
  for (const { preset } of PRESETS) {
    const items = presetNamed(preset)?.items ?? [];
    const found = await list(`preset=${preset}`);
    expect(found).toHaveLength(31);
    for (const { id, records } of technicians) {
      const until = records.filter(({ kind, date }) => kind !== "training" && date <= TODAY);
      const sum = (some: typeof records) => some.reduce((all, { hours }) => all + Math.round(hours * 100), 0);
      const last = until
        .map(({ date }) => date)
        .sort()
        .at(-1);
      expect(found.find((one) => one.id === id)).toMatchObject({
        verified: sum(until.filter(({ status }) => status === "verified")),
        waiting: sum(until.filter(({ status }) => status === "requested")),
        last: last ?? null,
        items: items.map((item) => countProgress(item, null, records, TODAY).verified),
      });
    }
  }
});

test("the list is sorted by any column, both ways, and its pages have each technician once", async () => {
  const preset = presetNamed("iso-9712-level-2") ?? null;
  expect(sortsOf(preset)).toHaveLength(13);
  for (const sort of sortsOf(preset)) {
    for (const order of ["asc", "desc"]) {
      const params = `preset=iso-9712-level-2&sort=${sort}&order=${order}`;
      const all = await list(params);
      const values = all.map((one) => {
        if (sort.startsWith("item-")) return one.items[Number(sort.slice(5))] ?? 0;
        return sort === "name" ? String(one.name).toLowerCase() : (one[sort as "verified" | "last"] ?? "");
      });
      const sorted = [...values].sort((one, other) => (one < other ? -1 : Number(one > other)));
      expect([params, values]).toEqual([params, order === "desc" ? sorted.reverse() : sorted]);
      const pages = [];
      for (let offset = 0; offset < 40; offset += 10) pages.push(...(await list(params, { limit: 10, offset })));
      expect(pages.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    }
  }
});

test("a search finds technicians by what the admin's list of users finds", async () => {
  expect((await list("search=TECHNICIAN%20H1")).map(({ name }) => name)).toEqual(["Technician H1"]);
  expect((await list("search=technician&sort=verified")).length).toBe(30);
  expect(await list("search=nobody&sort=verified")).toEqual([]);
});

async function costOf(statement: ReturnType<typeof query>) {
  const { sql, params } = statement.toSQL();
  const plan = await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, ...params);
  const { meta } = await db
    .prepare(sql)
    .bind(...params)
    .all();
  return { plan: plan.map(({ detail }) => detail), read: meta.rows_read };
}

test("sorted by name only the page's records are read; sorted by a sum each record once; nothing for others", async () => {
  const busy = await insert(db, "users", userRow({ email: "z@example.com", name: "Zoe" }));
  await db
    .prepare(
      `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT ?, 'entry', date('2026-11-20', '-' || value || ' days'), 'Rig', 'MT', 100, '', 0 FROM json_each(?)`,
    )
    .bind(busy, JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index % 3_000)))
    .run();
  const byName = await costOf(query("preset=iso-9712-level-1", { limit: 10 }));
  expect(byName.read).toBeLessThan(3_000);
  const bySum = await costOf(query("preset=iso-9712-level-1&sort=verified", { limit: 10 }));
  expect(bySum.read).toBeLessThan(30_000);
  for (const { plan } of [byName, bySum]) {
    for (const detail of plan) {
      if (/records/.test(detail)) expect(detail).toMatch(/COVERING INDEX records_by_date/);
      expect(detail).not.toMatch(/^SCAN (users|records)/);
    }
  }
  const [technician] = technicians;
  for (const params of ["", "sort=verified", "preset=iso-9712-level-1&sort=item-1&search=t"]) {
    const options = { viewer: technician?.id ?? 0 };
    expect(await list(params, options)).toEqual([]);
    expect((await costOf(query(params, options))).read).toBeLessThan(8);
  }
});

test("a percentage is rounded down and ends at 100", () => {
  expect([percentOf(6999, 7000), percentOf(7000, 7000), percentOf(9000, 7000), percentOf(0, 1)]).toEqual([
    99, 100, 100, 0,
  ]);
});

test("the page shows what the call of the list gives, links its columns, and its file is safe in a spreadsheet", async () => {
  const app = await startApp();
  const boss = await app.register({ isAdmin: true, name: "Boss" });
  const ada = await app.register({ name: "=HYPERLINK(1)", employeeNumber: "+47" });
  await app.register({ name: "Bob", employeeNumber: "@SUM(A1)" });
  const { id } = await ada.addEntry({ date: "2026-02-01", hours: 7.25 });
  await ada.addEntry({ date: "2026-01-31", hours: 2 }); // no supervisor has a request for it
  await ada.requestVerification(id);
  const page = await boss.get("/admin/progress?preset=snt-tc-1a-level-1&sort=waiting");
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(textsOf(page.text, "td").slice(0, 4)).toEqual([
    ...["=HYPERLINK(1) +47", "Verified, OJT + rope 0.0", "Waiting, OJT + rope 7.25", "Last entry 1 Feb 2026"],
  ]);
  expect(page.text).toContain('aria-sort="descending"');
  expect(page.text).toContain("/admin/progress?preset=snt-tc-1a-level-1&amp;sort=waiting&amp;order=asc");
  const file = await boss.get("/api/admin/progress.csv?preset=irata-level-2&sort=waiting");
  expect([file.trips, file.headers.get("Content-Type")]).toEqual([1, "text/csv; charset=utf-8"]);
  const lines = file.text.replace("\ufeff", "").trim().split("\r\n");
  expect(lines[0]).toBe(
    'Name,Email,Employee Number,Hours verified,Hours requested,Last entry,"IRATA, Level 1 to Level 2: Hours on the rope, percent"',
  );
  expect(lines[1]).toBe(`'=HYPERLINK(1),${ada.user.email},'+47,0,7.25,2026-02-01,0`);
  expect(lines.find((line) => line.startsWith("Bob"))).toContain(",'@SUM(A1),0,0,,0");
  expect((await boss.get("/admin/progress?page=0&sort=x&preset=y&order=z")).status).toBe(200);
  expect(textsOf((await boss.get("/admin/progress?page=9999")).text, "p")).toContain("No more technicians.");
});
