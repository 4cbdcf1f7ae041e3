import "./own-data.ts"; // before all others
import { hashPassword } from "#app/accounts/password.server.ts";
import { connect } from "#app/db/client.server.ts";
import { totalsByMethod } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { listRecords } from "#app/records/queries.server.ts";
import type { Statement } from "#demo/statements.ts";
import { type Observed, startObserved } from "./observed.ts";
import { hiddenFields, PASSWORD, requests, UNVERIFIED } from "./requests.ts";
import { seed, userId } from "./seed.ts";
import { atMost, inDigits, type Row, reported } from "./table.ts";

const MILLION = 1_000_000;

/** The five entries a day of the technician with a million entries. */
const million: Statement = {
  sql: `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MILLION - 1})
    INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
    SELECT ?, 'entry', date('2026-11-20', '-' || ((${MILLION - 1} - n) / 5) || ' days'), 'Dock ' || n % 90,
      CASE n % 3 WHEN 0 THEN 'ET' WHEN 1 THEN 'MT' ELSE 'PT' END, 750, '', 0 FROM numbers`,
  values: [userId("million")],
};

/** Allowed scans: the rows of a JSON list in the statement itself, and a constant. */
const MAY_SCAN = /^SCAN (json_each|\w+ VIRTUAL TABLE|CONSTANT ROW|span$|\(subquery-\d+\))/;

/** `npm run measure -- database`. */
export async function database(): Promise<Row[]> {
  const password = await hashPassword(PASSWORD);
  const signIn: Statement = {
    sql: "UPDATE users SET password = ? WHERE id = ?",
    values: [password, userId("twoHundred")],
  };
  const observed = await startObserved([...seed(Date.now()), signIn]);
  const table = await perRequest(observed);
  await observed.query(million.sql, ...million.values); // not before: /admin/progress reads the records of all
  return [...table, ...(await listOfMillion(observed)), ...(await plans(observed))];
}

async function perRequest(observed: Observed): Promise<Row[]> {
  const table: Row[] = [];
  const { results } = await observed.query(UNVERIFIED, userId("fifty"));
  for (const { method, path, as, body, most, hidden } of requests(results.map(({ id }) => Number(id)))) {
    if (hidden && body instanceof URLSearchParams) {
      for (const [field, value] of hiddenFields((await observed.ask("GET", path, as)).text)) body.set(field, value);
    }
    const { status, trips, read, written } = await observed.ask(method, path, as, body);
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: it was to go well`);
    const name = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|hU3p\w+/, "{token}").replace(/\d+$/, "{id}")}`;
    const who = as && as !== "admin" ? `, ${as}` : "";
    const row = atMost(`${name}${who}: round trips`, trips, method === "GET" ? 1 : 2);
    // The number of rows depends on what is shown; tests/worker/rows.test.ts checks the limits.
    const isWithin = read <= most.read && written <= most.written;
    const note = `rows read ${inDigits(read)} of ${inDigits(most.read)}, written ${inDigits(written)} of ${inDigits(most.written)}`;
    table.push({ ...row, passed: row.passed === true && isWithin, note });
  }
  return table;
}

/** The statements of the technician with a million entries. */
async function listOfMillion(observed: Observed): Promise<Row[]> {
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

/** Whether each plan has only allowed scans. */
async function plans(observed: Observed): Promise<Row[]> {
  const statements = await observed.statements();
  const scans: string[] = [];
  for (const [sql, values] of statements) {
    const { results } = await observed.query(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    for (const { detail } of results) {
      if (String(detail).startsWith("SCAN") && !MAY_SCAN.test(String(detail))) scans.push(`${detail}: ${sql}`);
    }
  }
  return [atMost(`scans in the plans of ${statements.length} statements`, scans.length, 0, "", scans.join("; "))];
}
