import "./own-data.ts"; // before all others
import { connect } from "#app/db/client.server.ts";
import { totalsByMethod } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { listRecords } from "#app/records/queries.server.ts";
import type { Statement } from "#demo/statements.ts";
import { startObserved } from "./observed.ts";
import { seed, userId } from "./seed.ts";
import { atMost, type Row, reported } from "./table.ts";

const MILLION = 1_000_000;

/** The five entries a day of the technician with a million entries. */
const million: Statement = {
  sql: `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MILLION - 1})
    INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
    SELECT ?, 'entry', date('2026-11-20', '-' || ((${MILLION - 1} - n) / 5) || ' days'), 'Dock ' || n % 90,
      CASE n % 3 WHEN 0 THEN 'ET' WHEN 1 THEN 'MT' ELSE 'PT' END, 750, '', 0 FROM numbers`,
  values: [userId("million")],
};

/**
 * `npm run measure -- database`: the list and the totals of a technician with a million entries. The round trips, rows
 * and plans of every request are in tests/worker/pages.test.ts and rows.test.ts.
 */
export async function database(): Promise<Row[]> {
  const observed = await startObserved([...seed(Date.now()), million]);
  const table: Row[] = [];
  const orm = connect({} as D1Database); // only used to build SQL
  for (const [place, before] of [
    ["newest", null],
    ["from the middle", { date: "1750-01-01", id: 500_000 }],
  ] as const) {
    const { sql, params } = listRecords(orm, userId("million"), entryKind, { before, limit: 50 }).toSQL();
    const { results, meta } = await observed.query(sql, ...params);
    if (results.length !== 50) throw new Error(`the list has ${results.length} entries`);
    table.push(atMost(`rows read to show 50 of 1,000,000, ${place}`, meta.rows_read, 55));
  }
  const { sql, params } = totalsByMethod(orm, userId("million")).toSQL();
  const plan = await observed.query(`EXPLAIN QUERY PLAN ${sql}`, ...params);
  const detail = plan.results.map(({ detail }) => String(detail)).join("; ");
  const isCovering = /USING COVERING INDEX/.test(detail);
  table.push({ ...reported("totals by method", detail), target: "a covering index", passed: isCovering });
  return table;
}
