import { expect, inject, test } from "vitest";
import type { Migration } from "#tests/worker/build.ts";
import { migrate, rows, startDatabase } from "#tests/worker/database.ts";
import { insert, type Row, tokenNumber, VERIFIED } from "#tests/worker/rows.ts";

/*
 * Every migration is applied to a database that the ones before it have made and that holds rows, and takes none away.
 * Catches drizzle-kit's rebuild of a table: D1 ignores its `PRAGMA foreign_keys=OFF`, so DROP TABLE cascades and takes
 * every hour with it, while wrangler prints a tick. The last test shows that this very rebuild is caught.
 */

const migrations = inject("migrations");

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

const SAMPLES: Row = {
  email: "kari@example.com",
  password: "$scrypt$ln=1,r=1,p=1$AA$AA",
  date: "2026-11-20",
  start_date: "2026-11-19",
  end_date: "2026-11-20",
  method: "MT",
  certification_level: "Level II",
  expires_at: 2,
  created_at: 1,
  user_id: 1,
  hours: 7.5,
  kind: "password_changed",
  record_kind: "entry",
  event: "requested",
  cause: "edited",
  content: "{}",
  subject: "a".repeat(64),
  record_hash: "a".repeat(64),
  previous: "0".repeat(64),
  hash: "a".repeat(64),
  state: "moot",
};

/** A row for any table of any migration: what must be there, from the samples or made up by its type. */
async function sampleRow(db: D1Database, table: string, over: Row = {}): Promise<Row> {
  const columns = await rows<Column>(db, `PRAGMA table_info(${table})`);
  const row: Row = {};
  for (const { name, type, notnull, dflt_value, pk } of columns) {
    if (name in over) row[name] = over[name] ?? null;
    else if (pk && type === "TEXT") row[name] = "a".repeat(64);
    else if (pk || !notnull || dflt_value !== null) continue;
    else row[name] = SAMPLES[name] ?? (type === "TEXT" ? "text" : 1);
  }
  return row;
}

async function tableNames(db: D1Database): Promise<string[]> {
  const list = await rows<{ name: string; type: string }>(db, "PRAGMA table_list");
  return list
    .filter(({ name, type }) => type === "table" && !/^(sqlite_|_cf_|d1_)/.test(name))
    .map(({ name }) => name)
    .sort((one, other) => (one === "users" ? -1 : other === "users" ? 1 : one.localeCompare(other)));
}

/** Puts at least one row into every table that has none: users first, to whom the others refer. */
async function fill(db: D1Database): Promise<void> {
  for (const table of await tableNames(db)) {
    if (((await countsOf(db, [table]))[table] ?? 0) > 0) continue;
    await insert(db, table, await sampleRow(db, table));
    if (table !== "entries" && table !== "rope_hours") continue;
    await insert(db, table, await sampleRow(db, table, { ...VERIFIED, verification_token: tokenNumber(1) }));
  }
}

async function countsOf(db: D1Database, tables: string[]): Promise<Record<string, number>> {
  const counted = await Promise.all(
    tables.map(async (table) => {
      const [row] = await rows<{ n: number }>(db, `SELECT count(*) AS n FROM ${table}`);
      return [table, row?.n ?? 0];
    }),
  );
  return Object.fromEntries(counted);
}

/** Applies migrations one by one, each to tables that hold rows. Returns how many were lost, by migration and table. */
async function lossesOf(list: Migration[]): Promise<string[]> {
  const db = await startDatabase([]);
  const losses: string[] = [];
  for (const migration of list) {
    await fill(db);
    const tables = await tableNames(db);
    const before = await countsOf(db, tables);
    await migrate(db, [migration]);
    const left = await tableNames(db);
    const after = await countsOf(
      db,
      tables.filter((table) => left.includes(table)),
    );
    for (const table of tables) {
      const lost = (before[table] ?? 0) - (after[table] ?? 0);
      if (lost !== 0) losses.push(`${migration.name}: ${lost} of ${table}`);
    }
    const broken = await rows(db, "PRAGMA foreign_key_check");
    if (broken.length > 0) losses.push(`${migration.name}: ${broken.length} rows refer to nothing`);
  }
  await fill(db);
  return losses;
}

test("migrations are numbered without a gap, so that everybody applies them in one order", () => {
  expect(migrations.length).toBeGreaterThan(0);
  const numbers = migrations.map(({ name }) => name.match(/^(\d{4})_[a-z0-9_-]+\.sql$/)?.[1]);
  expect(numbers).toEqual(migrations.map((_, index) => String(index + 1).padStart(4, "0")));
});

test("every migration, applied to a filled database, keeps every row", async () => {
  expect(await lossesOf(migrations)).toEqual([]);
});

test("every table can be filled after the last migration", async () => {
  const db = await startDatabase();
  await fill(db);
  const counts = await countsOf(db, await tableNames(db));
  expect(Object.values(counts).every((n) => n > 0)).toBe(true);
  expect(counts).toMatchObject({ users: 1, entries: 2, rope_hours: 2 });
});

test("a migration that rebuilds users, as drizzle-kit writes it, is seen to lose every hour", async () => {
  const [made] = await rows(await startDatabase(), "SELECT sql FROM sqlite_master WHERE name = 'users'");
  const rebuild: Migration = {
    name: "9999_rebuild.sql",
    statements: [
      "PRAGMA foreign_keys=OFF",
      String(made?.sql).replace("TABLE users", "TABLE __new_users"),
      "INSERT INTO __new_users SELECT * FROM users",
      "DROP TABLE users",
      "ALTER TABLE __new_users RENAME TO users",
    ],
  };
  const losses = await lossesOf([...migrations, rebuild]);
  expect(losses).toContain("9999_rebuild.sql: 2 of entries");
  expect(losses).toContain("9999_rebuild.sql: 2 of rope_hours");
});
