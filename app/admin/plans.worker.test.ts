import { beforeAll, expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { searchText } from "#app/plain-text.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { insert, userRow } from "#tests/worker/rows.ts";
import {
  findAllRecords,
  findOwnedRecord,
  findUser,
  findUserWithCounts,
  listAllRecords,
  listUsers,
} from "./lists.server.ts";

/*
 * The cost of the admin's lists with 5,000 users and 200,000 entries: rows read are billed. Detects a page that counts
 * or sorts, and a list that is read for a user who is not an admin.
 */

const db = await startDatabase();
const orm = connect(db);
const [ADMIN, TECHNICIAN] = [1, 2];

interface Statement {
  toSQL(): { sql: string; params: unknown[] };
}

async function run(statement: Statement) {
  const { sql, params } = statement.toSQL();
  const plan = await rows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, ...params);
  const { results, meta } = await db
    .prepare(sql)
    .bind(...params)
    .all();
  return { found: results.length, read: meta.rows_read, plan: plan.map(({ detail }) => detail).join("\n") };
}

beforeAll(async () => {
  await insert(db, "users", userRow({ email: "admin@example.com", is_admin: 1 }));
  const numbers = (count: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n <= ${count})`;
  await db
    .prepare(
      `${numbers(4_999)} INSERT INTO users (email, password, name, search, created_at)
        SELECT 'u' || n || '@example.com', '$scrypt$x', 'User ' || n, 'user ' || n, 0 FROM numbers`,
    )
    .run();
  await db
    .prepare(
      `${numbers(200_000)} INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
        SELECT 2 + n % 4999, 'entry', '2026-11-20', 'Dock ' || n, 'MT', 100, 'dock ' || n || char(10) || 'mt', 0 FROM numbers`,
    )
    .run();
});

test("a page reads only its rows, without counting or sorting, on the first page and on later ones", async () => {
  for (const before of [null, 2_500]) {
    for (const list of [
      listUsers(orm, ADMIN, { before, limit: 51 }),
      listAllRecords(orm, ADMIN, entryKind, { before, limit: 51 }),
    ]) {
      const { found, read, plan } = await run(list);
      expect(found).toBe(51);
      // Each entry reads its owner.
      expect(read).toBeLessThanOrEqual(2 * 51 + 3);
      expect(plan).toMatch(
        /SEARCH (users USING INTEGER PRIMARY KEY \(|records USING INDEX records_by_kind \(kind=\? AND deleted_at=\? AND )rowid<\?\)/,
      );
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  }
});

test("one user's records are read from their index, on the first page and on later ones", async () => {
  const [third] = await rows<{ id: number }>(db, "SELECT id FROM entries WHERE user_id = 3 LIMIT 1 OFFSET 20");
  for (const before of [null, third?.id ?? 0]) {
    const { found, read, plan } = await run(listAllRecords(orm, ADMIN, entryKind, { userId: 3, before, limit: 11 }));
    expect(found).toBe(11);
    expect(read).toBeLessThanOrEqual(2 * 11 + 40 + 4); // their entries are all on one day
    expect(plan).toMatch(/SEARCH records USING INDEX records_by_date \(user_id=\? AND kind=\?/);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    const rope = await run(listAllRecords(orm, ADMIN, ropeHoursKind, { userId: 3, before, limit: 11 }));
    expect(rope.plan).toMatch(/SEARCH records USING INDEX records_by_date \(user_id=\? AND kind=\?/);
    expect(rope.plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

test("a search stops when its page is full, and reads the text of each record of its step once if it finds nothing", async () => {
  const search = async (search: string) => {
    const { rows, rest } = findAllRecords(orm, ADMIN, entryKind, { search, limit: 51 });
    if (!rest) throw new Error("a search has a step");
    const [list, end] = [await run(rows), await run(rest)];
    expect(list.plan).not.toMatch(/TEMP B-TREE/);
    return { found: list.found, end: end.read, read: list.read - end.read };
  };
  const common = await search("DOCK 1");
  expect([common.found, common.read < 100_000]).toEqual([51, true]);
  const nothing = await search("x".repeat(1_000));
  // Each entry of the step, and each of the 5,000 users once, for entries of a technician with that name.
  expect([nothing.found, nothing.read <= 205_003]).toEqual([0, true]);
  // A step has at most 160,000 records. To find its end, their bytes are added up once, and a running sum reads each three times.
  expect(nothing.end).toBeLessThanOrEqual(4 * 160_001);
  const one = await search(searchText("dock 77777"));
  expect(one.found).toBe(1);
});

test("for a user who is not an admin no row of a list is read", async () => {
  const pages = [
    listUsers(orm, TECHNICIAN, { limit: 51 }),
    listAllRecords(orm, TECHNICIAN, entryKind, { limit: 51 }),
    listAllRecords(orm, TECHNICIAN, entryKind, { userId: 3, limit: 51 }),
    listAllRecords(orm, TECHNICIAN, ropeHoursKind, { limit: 51 }),
    listAllRecords(orm, TECHNICIAN, ropeHoursKind, { userId: 3, before: 9, limit: 51 }),
    findAllRecords(orm, TECHNICIAN, entryKind, { search: "nothing", limit: 51 }).rows,
    findAllRecords(orm, TECHNICIAN, entryKind, { search: "nothing", userId: 3, limit: 51 }).rows,
    findUser(orm, TECHNICIAN, 3),
    findOwnedRecord(orm, TECHNICIAN, ropeHoursKind, 3),
    findUserWithCounts(orm, TECHNICIAN, 3),
    findOwnedRecord(orm, TECHNICIAN, entryKind, 3),
  ];
  const parts = [
    listUsers(orm, TECHNICIAN),
    listAllRecords(orm, TECHNICIAN, entryKind),
    listAllRecords(orm, TECHNICIAN, entryKind, { userId: 3 }),
    listAllRecords(orm, TECHNICIAN, ropeHoursKind, { userId: 3, before: 9 }),
  ];
  // D1 counts up to two rows for the running sum of none.
  for (const [statements, most] of [
    [pages, 2],
    [parts, 4],
  ] as const) {
    for (const statement of statements) {
      const { found, read } = await run(statement);
      expect([found, read <= most]).toEqual([0, true]);
    }
  }
});

test("the rows that are deleted with a user are counted from indexes", async () => {
  const { found, plan } = await run(findUserWithCounts(orm, ADMIN, 3));
  expect(found).toBe(1);
  expect(plan.match(/USING COVERING INDEX/g)?.length).toBeGreaterThanOrEqual(3);
  expect(plan).not.toMatch(/SCAN/);
});
