import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessionOwner } from "#app/accounts/access.server.ts";
import { contentRow } from "#app/records/content.server.ts";
import { totalsByMethod } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { logPageQueries, logQueryFrom } from "#app/records/log-page.server.ts";
import { listRecords } from "#app/records/queries.server.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { insertStatement, isDuplicate } from "#app/records/save.server.ts";
import { count, rows, startDatabase } from "#tests/worker/database.ts";
import { insert, userRow } from "#tests/worker/rows.ts";
import { connect } from "./client.server.ts";

/*
 * Query plans of /profile, the page used most: D1 bills scanned rows. tests/worker/pages.test.ts checks that no
 * statement of the app scans a table.
 */

const db = await startDatabase();
const orm = connect(db);
const owner = sessionOwner("token", new Date());

interface Statement {
  toSQL(): { sql: string; params: unknown[] };
}

async function planOf(statement: Statement): Promise<string[]> {
  const { sql, params } = statement.toSQL();
  const plan = await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, ...params);
  return plan.map(({ detail }) => detail);
}

test("the list is read in order from its index, without a scan or a sort", async () => {
  const place = { date: "2026-11-20", id: 7 };
  for (const range of [{}, { before: place }, { after: place }]) {
    const plan = (await planOf(listRecords(orm, owner, entryKind, { ...range, limit: 101 }))).join("\n");
    expect(plan).toMatch(/SEARCH records USING INDEX records_by_date \(user_id=\? AND kind=\? AND deleted_at=\?/);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

// The id comes after the date in the index, so the order within a day needs no sort.
test("rope hours are read in order from their index too", async () => {
  const place = { date: "2026-11-20", id: 7 };
  for (const range of [{}, { before: place }, { after: place }]) {
    const plan = (await planOf(listRecords(orm, owner, ropeHoursKind, { ...range, limit: 101 }))).join("\n");
    expect(plan).toMatch(/SEARCH records USING INDEX records_by_date \(user_id=\? AND kind=\? AND deleted_at=\?/);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

// Detects an index that lacks a column: every row would be fetched from the table too.
test("totals are read from their covering index alone", async () => {
  const plan = (await planOf(totalsByMethod(orm, owner))).join("\n");
  expect(plan).toMatch(
    /SEARCH records USING COVERING INDEX records_by_date \(user_id=\? AND kind=\? AND deleted_at=\?\)/,
  );
  expect(plan).not.toMatch(/SCAN/); // the methods are sorted, not the records
});

// Five entries a day: after a cursor, only those of its own day are read in vain. The target of 110 rows for a page of
// 100 is for 1,000,000 entries; it does not depend on their number.
test("to show 100 of 20,000 entries, at most 110 rows are read, on any page; a search reads each of them six times", async () => {
  await insert(db, "users", userRow());
  const fill = `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
    SELECT 1, 'entry', date('2026-01-01', (value / 5) || ' days'), 'Mongstad', 'MT', 100, '', 0
    FROM json_each(?)`;
  const numbers = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index));
  await db.prepare(fill).bind(numbers).run();
  expect(await count(db, "entries")).toBe(20_000);
  for (const before of [null, { date: "2046-06-01", id: 37_300 }]) {
    const { sql, params } = listRecords(orm, 1, entryKind, { before, limit: 101 }).toSQL();
    const { results, meta } = await db
      .prepare(sql)
      .bind(...params)
      .all();
    expect(results).toHaveLength(101);
    expect(meta.rows_read).toBeLessThanOrEqual(110);
  }
  // Catches a statement for the number, one for the hours and one for the months of what was found, which all look at every record:
  // those for the records and for the months read each once for its text, and twice to see that one step is enough, as each
  // returns where the next begins. With a running sum where one step is enough, it was 280,006.
  const query = logQueryFrom(entryKind, new URL("http://localhost/profile?q=nowhere"));
  let read = 0;
  const source = { now: new Date(), decline: sql<null>`NULL`, ended: sql<null>`NULL`, openRequest: sql<null>`NULL` };
  const { records, months, deleted } = logPageQueries(orm, 1, entryKind, query, source);
  for (const statement of [records.rows, records.rest, months.rows, months.rest, deleted]) {
    if (!statement) throw new Error("a search has a step");
    const { sql, params } = statement.toSQL();
    const { meta } = await db
      .prepare(sql)
      .bind(...params)
      .all();
    read += meta.rows_read;
  }
  expect(read).toBeLessThanOrEqual(6 * 20_000 + 110);
});

test("whether a record is a duplicate is found by its key, whatever else its day has", async () => {
  const user_id = await insert(db, "users", userRow({ email: "day@example.com" }));
  const row = (location: string) =>
    contentRow(entryKind, { date: "2026-11-20", location, method: "MT", hours: 1, details: {} });
  const day = Array.from({ length: 1_000 }, (_, index) => row(`Plant ${index}`));
  await insertStatement(orm, user_id, entryKind, day, { submission: null, now: new Date() });
  const sent = [row("PLANT 7"), row("Elsewhere")];
  const query = orm
    .select({ location: sql`value ->> 'location'`.as("location") })
    .from(sql`json_each(${JSON.stringify(sent)})`)
    .where(isDuplicate(entryKind, user_id, sent));
  expect((await planOf(query)).join("\n")).toContain("USING INDEX records_by_key (user_id=? AND same_key=?)");
  const { sql: text, params } = query.toSQL();
  const { results, meta } = await db
    .prepare(text)
    .bind(...params)
    .all();
  expect(results).toEqual([{ location: "PLANT 7" }]);
  expect(meta.rows_read).toBeLessThanOrEqual(20);
});
