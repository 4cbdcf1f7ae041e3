import { plainSql } from "#app/audit-log/check-schema.server.ts";
import { messageOf } from "#app/errors.ts";
import { VERSION } from "#app/server/version.ts";

export interface Migration {
  name: string;
  sql: string;
}

/**
 * This version with a fingerprint of its schema, such as `0.1.0, schema 1a2b3c4d`: until 1.0.0 the schema changes without a new
 * version.
 */
export async function releaseOf(migrations: Migration[]): Promise<string> {
  const text = new TextEncoder().encode(migrations.map(({ name, sql }) => `${name}\n${sql}`).join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const schema = [...hash.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${VERSION}, schema ${schema}`;
}

/** wrangler's table of applied migrations, so that a database can move to Cloudflare and back. */
export const RECORD = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** The statement that records one of them as applied, by its name. */
export const RECORD_ONE = "INSERT INTO d1_migrations (name) VALUES (?)";

/** Runs SQL text of one or more statements and returns the rows of the last. */
export type Exec = (sql: string, ...values: string[]) => Record<string, unknown>[];

/** The query for what a database was made of: its tables, indexes, triggers and views. */
export const SCHEMA = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL";

/** The query for the migrations that it has had. A new database has no such table. */
const APPLIED = "SELECT name FROM d1_migrations";

/** The query for the rows that the first migration inserts by name, by table; null if the database lacks one of the tables. */
export function namesQuery(schema: Rows, [first]: Migration[]): string | null {
  const tables = [...namesIn(first?.sql ?? "").keys()];
  if (tables.length === 0 || !tables.every((table) => schema.some(({ name }) => name === table))) return null;
  return tables.map((table) => `SELECT '${table}' AS "table", name FROM ${table}`).join(" UNION ALL ");
}

/** The names that a migration inserts, by table: kinds and methods. */
function namesIn(migration: string): Map<string, string[]> {
  const inserts = plainSql(migration).matchAll(/\bINSERT INTO (\w+) \(name\) VALUES ([^;]+);/g);
  return new Map([...inserts].map(([, table = "", values = ""]) => [table, values.match(/(?<=')[^']+(?='\))/g) ?? []]));
}

type Rows = Record<string, unknown>[];

/** What a database has, by the rows of `APPLIED`, `SCHEMA` and `namesQuery`. */
interface Found {
  applied: Rows;
  schema: Rows;
  names: Rows;
}

export interface Allowed {
  /** The triggers may differ from those of the migrations: `npm run verify-log` names those that do. */
  withAnyTriggers?: boolean;
}

/**
 * Why this version must not use a database, in words for the operator; or null. A newer
 * one could lose what newer columns and triggers are for. One of before 1.0.0 has other tables, or was made from another
 * version of the first migration, which until then is changed in place.
 */
export function versionProblem(
  { applied, schema, names: inserted }: Found,
  migrations: Migration[],
  { withAnyTriggers = false }: Allowed = {},
): string | null {
  const names = applied.map(({ name }) => name);
  const [first] = migrations;
  if (!first || names.length === 0) return null;
  // Later migrations change tables, so only the first one is compared; who has had a later one had it compared before.
  const isOther =
    !names.includes(first.name) ||
    (names.length === 1 && !(isMadeFrom(schema, first.sql, isNoTrigger) && hasNames(inserted, first.sql)));
  if (isOther)
    return "its tables are not those of this version: it was made by a version of before 1.0.0, so run that version; or it was altered, so keep a copy, compare its schema with migrations/0001_initial.sql and restore a backup of before (docs/backups.md)";
  if (names.length === 1 && !withAnyTriggers && !isMadeFrom(schema, first.sql))
    return "its triggers are not those of this version: they were dropped or changed, which npm run verify-log says, or it was made by a version of before 1.0.0";
  const unknown = names.filter((name) => !migrations.some((known) => known.name === name));
  if (unknown.length === 0) return null;
  return `the database has had ${unknown.join(", ")}, which this version does not have: run the newer version again`;
}

/** Whether a schema is what a migration makes, or those of its statements that count, but for comments and white space. */
function isMadeFrom(schema: Rows, migration: string, counts = (_sql: string) => true): boolean {
  const own = schema
    .map(({ name, sql }) => ({ name: String(name), sql: plainSql(String(sql)) }))
    // The tables of D1 and SQLite, but nothing else of such a name.
    .filter(({ name, sql }) => !(/^(_cf_|sqlite_|d1_)/.test(name) && sql.startsWith("CREATE TABLE ")))
    .map(({ sql }) => sql)
    .filter(counts);
  const whole = plainSql(migration);
  const made = whole.match(/\bCREATE \w+/g)?.filter(counts) ?? [];
  return own.length === made.length && own.every((statement) => whole.includes(`${statement};`));
}

/** Whether a database has the names that a migration inserts, and no others. */
function hasNames(inserted: Rows, migration: string): boolean {
  const expected = [...namesIn(migration)].flatMap(([table, names]) => names.map((name) => `${table} ${name}`));
  return (
    JSON.stringify(inserted.map(({ table, name }) => `${table} ${name}`).sort()) === JSON.stringify(expected.sort())
  );
}

const isNoTrigger = (sql: string) => !sql.startsWith("CREATE TRIGGER");

/** A database as this version finds it. */
export interface State {
  /** It has had no migration: a first start may have ended before. */
  isNew: boolean;
  /** In order: all of them if it is new. */
  missing: Migration[];
  /** As `versionProblem`. */
  problem: string | null;
}

/** Compares a database with these migrations. `ask` runs one SQL statement. */
export async function stateOf(
  ask: (sql: string) => Promise<Rows>,
  migrations: Migration[],
  allowed?: Allowed,
): Promise<State> {
  const schema = await ask(SCHEMA);
  const applied = schema.some(({ name }) => name === "d1_migrations") ? await ask(APPLIED) : [];
  if (applied.length === 0) return { isNew: true, missing: migrations, problem: null };
  const query = namesQuery(schema, migrations);
  const names = query ? await ask(query) : [];
  const problem = versionProblem({ applied, schema, names }, migrations, allowed);
  return { isNew: false, missing: notIn(applied, migrations), problem };
}

function notIn(applied: Rows, migrations: Migration[]): Migration[] {
  return migrations.filter((migration) => !applied.some(({ name }) => name === migration.name));
}

/**
 * The migrations that a database lacks, in order: all of them if it is new.
 * @throws {Error} a message for the operator: this version must not use it
 */
export function missingMigrations(exec: Exec, migrations: Migration[]): Migration[] {
  exec(RECORD);
  const applied = exec(APPLIED);
  const schema = exec(SCHEMA);
  const query = namesQuery(schema, migrations);
  const problem = versionProblem({ applied, schema, names: query ? exec(query) : [] }, migrations);
  if (problem) throw new Error(problem);
  return notIn(applied, migrations);
}

/**
 * Runs the missing migrations in order and returns their names. Call it in a transaction and roll back if it throws.
 * @throws {Error} a message for the operator: which migration failed and why, or that the database is of another version
 */
export function migrate(exec: Exec, migrations: Migration[]): string[] {
  const missing = missingMigrations(exec, migrations);
  for (const { name, sql } of missing) {
    try {
      exec(sql);
    } catch (error) {
      throw new Error(`migration ${name} failed: ${messageOf(error)}`);
    }
    exec(RECORD_ONE, name);
  }
  return missing.map(({ name }) => name);
}
