import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import { type AnySQLiteTable, getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { apiTokens } from "#app/accounts/api-tokens.table.ts";
import * as checkpoints from "#app/audit-log/grow-tree.server.ts";
import * as targets from "#app/certification/targets.table.ts";
import * as followed from "#app/events/events.table.ts";
import * as exported from "#app/proof/exports.table.ts";
import { signingKeys } from "#app/proof/signing-keys.server.ts";
import * as records from "#app/records/records.table.ts";
import * as imports from "#app/transfer/stored-import.server.ts";
import * as requests from "#app/verification/requests.table.ts";
import { rows, startDatabase } from "#tests/worker/database.ts";
import { quoted } from "./client.server.ts";
import * as schema from "./schema.ts";

/*
 * Compares the tables that the migrations create with the Drizzle schema, the source of every row type. Catches a
 * column that only one of them has, and a difference in type, NOT NULL, default, foreign key or unique index. Not checked
 * here: CHECKs and triggers, which Drizzle does not have (checks.worker.test.ts, verified.worker.test.ts), and other indexes, which
 * the schema leaves to the migration: plans.worker.test.ts holds the plans.
 */

const db = await startDatabase();
const values: unknown[] = [
  ...[schema, requests, exported, targets, imports, checkpoints, records, followed].flatMap((tables) =>
    Object.values<unknown>(tables),
  ),
  signingKeys,
  apiTokens,
];
const tables = values.filter((value) => value instanceof SQLiteTable) as AnySQLiteTable[]; // the others are functions

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** Returns a default as SQL writes it. */
function sqlOf(value: unknown): string | null {
  if (value === undefined) return null;
  // SQLite shows an expression without the parentheses around it.
  if (is(value, SQL)) return new SQLiteSyncDialect().sqlToQuery(value).sql.replace(/^\((.*)\)$/, "$1");
  if (typeof value === "string") return quoted(value);
  return typeof value === "boolean" ? String(Number(value)) : JSON.stringify(value);
}

/** Returns the index's columns in order, whether it is unique, and its condition. */
async function indexesOf(table: string) {
  const list = await rows<{ name: string; unique: number; origin: string; partial: number }>(
    db,
    `PRAGMA index_list(${table})`,
  );
  const found = await Promise.all(
    list.map(async ({ name, unique, origin, partial }) => {
      const columns = await rows<{ name: string | null }>(db, `PRAGMA index_info(${name})`);
      return {
        name,
        unique: unique === 1,
        origin,
        partial: partial === 1,
        columns: columns.map((column) => column.name),
      };
    }),
  );
  return found.sort((one, other) => one.name.localeCompare(other.name));
}

test("the migrations create the tables of the schema and no others", async () => {
  const made = await rows<{ name: string; type: string }>(db, "PRAGMA table_list");
  const names = made
    .filter(({ name, type }) => type === "table" && !/^(sqlite_|_cf_|d1_)/.test(name))
    .map(({ name }) => name);
  expect(names.sort()).toEqual(tables.map(getTableName).sort());
});

for (const table of tables) {
  const name = getTableName(table);
  const config = getTableConfig(table);

  test(`${name} is STRICT: SQLite rejects text in a number column`, async () => {
    const list = await rows<{ name: string; strict: number }>(db, "PRAGMA table_list");
    expect(list.find((made) => made.name === name)?.strict).toBe(1);
  });

  test(`${name} has the schema's columns: order, type, NOT NULL, default, primary key`, async () => {
    const made = await rows<ColumnInfo>(db, `PRAGMA table_info(${name})`);
    const keyed: unknown[] = config.primaryKeys[0]?.columns ?? [];
    const told = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      // SQLite calls an INTEGER PRIMARY KEY nullable because it fills it in.
      notnull: column.notNull && !(column.primary && column.getSQLType() === "integer") ? 1 : 0,
      dflt_value: sqlOf(column.default),
      pk: column.primary ? 1 : keyed.indexOf(column) + 1,
    }));
    expect(made.map(({ name, type, notnull, dflt_value, pk }) => ({ name, type, notnull, dflt_value, pk }))).toEqual(
      told,
    );
  });

  test(`${name} has the schema's foreign keys and ON DELETE actions`, async () => {
    const made = await rows<{ from: string; table: string; to: string; on_delete: string }>(
      db,
      `PRAGMA foreign_key_list(${name})`,
    );
    const byColumn = (keys: { from: string | undefined; table: string; to: string | undefined; on_delete: string }[]) =>
      keys
        .map(({ from, table, to, on_delete }) => ({ from, table, to, on_delete }))
        .sort((one, other) => String(one.from).localeCompare(String(other.from)));
    const told = config.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference();
      return {
        from: columns[0]?.name,
        table: getTableName(foreignTable),
        to: foreignColumns[0]?.name,
        on_delete: key.onDelete?.toUpperCase() ?? "NO ACTION",
      };
    });
    expect(byColumn(made)).toEqual(byColumn(told));
  });

  test(`${name} has the schema's unique indexes and unique columns`, async () => {
    const made = await indexesOf(name);
    const told = config.indexes
      .map(({ config: { name, columns, unique, where } }) => ({
        name,
        unique,
        partial: where !== undefined,
        columns: columns.map((column) => ("name" in column ? column.name : null)), // SQLite names no expression
      }))
      .sort((one, other) => one.name.localeCompare(other.name));
    const uniqueIndexes = made.filter(({ origin, unique }) => origin === "c" && unique);
    expect(uniqueIndexes.map(({ origin: _, ...index }) => index)).toEqual(told);
    const unique = made.filter(({ origin }) => origin === "u").map(({ columns }) => columns);
    const toldUnique = config.columns.filter(({ isUnique }) => isUnique).map((column) => [column.name]);
    expect(unique.sort()).toEqual(toldUnique.sort());
  });
}

// The SQL cannot read the list: a column that one of them forgets could change after a verification, without a word to
// programs that follow the records, or be missing on paper.
const NAMING_CONTENT: [name: string, patternOf: (column: string, key: string) => RegExp][] = [
  ["verified_stays", (column) => new RegExp(`NEW\\.${column} IS OLD\\.${column}\\b`)],
  ["events_of_changed_records", (column) => new RegExp(`UPDATE OF [^.]*\\b${column}\\b[^.]* ON records`)],
  ["events_of_changed_records", (column) => new RegExp(`\\([^()]*\\bOLD\\.${column}\\b[^()]*\\) IS NOT`)],
  ["events_of_changed_records", (column) => new RegExp(`IS NOT\\s+\\([^()]*\\bNEW\\.${column}\\b`)],
  ["record_contents", (column, key) => new RegExp(`'${key}', (json\\()?${column}\\b`)],
];

test("the triggers and the view that list the content of a record name each of its columns", async () => {
  for (const [name, patternOf] of NAMING_CONTENT) {
    const [made] = await rows<{ sql: string }>(db, "SELECT sql FROM sqlite_master WHERE name = ?", name);
    for (const [key, column] of Object.entries(records.CONTENT))
      expect(made?.sql, `${name}: ${key}`).toMatch(patternOf(column.name, key));
  }
});

test("no id is used twice, even after a deletion", async () => {
  for (const table of tables) {
    if (getTableName(table) === "events") continue; // their ids are times, which only grow (docs/decisions/0078-events.md)
    const [id] = getTableConfig(table).columns.filter(({ primary, name }) => primary && name === "id");
    if (id?.getSQLType() !== "integer") continue;
    const [made] = await rows<{ sql: string }>(db, "SELECT sql FROM sqlite_master WHERE name = ?", getTableName(table));
    expect(made?.sql).toMatch(/id INTEGER PRIMARY KEY AUTOINCREMENT/);
  }
});
