import type { Exec } from "./migrations.ts";

/**
 * A database as SQL, which any SQLite reads, and wrangler too. Each statement ends with a line of its own that is a
 * comment, and no value holds a line break as such: so it can be taken apart again without understanding SQL.
 */
const END_OF_STATEMENT = "\n--;\n";
const HEADER = "-- Hours Tracker backup";
/** An incomplete copy has no such line. */
const FOOTER = "-- end of backup";

type Cell = string | number | null | ArrayBuffer;

/** The database that a dump is read from. */
type Source = Pick<SqlStorage, "exec">;

/**
 * The whole database in pieces: tables and rows, then indexes and triggers, which would slow or refuse the rows. Read without
 * an `await` in between, it is the database of one moment.
 */
export function* dump(source: Source, now: Date): Generator<string> {
  yield `${HEADER}, ${now.toISOString()}${END_OF_STATEMENT}`;
  yield `PRAGMA defer_foreign_keys = TRUE;${END_OF_STATEMENT}`;
  const tables = schema(source, "type = 'table'").filter(({ name }) => !isInternal(name));
  for (const { name, sql } of tables) {
    yield `${sql};${END_OF_STATEMENT}`;
    yield* rows(source, name);
  }
  yield `DELETE FROM sqlite_sequence;${END_OF_STATEMENT}`;
  yield* rows(source, "sqlite_sequence");
  for (const { sql } of schema(source, "type <> 'table'")) yield `${sql};${END_OF_STATEMENT}`;
  yield `${FOOTER}\n`;
}

function schema(source: Source, where: string): { name: string; sql: string }[] {
  const statement = `SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${where} ORDER BY rowid`;
  return source.exec<{ name: string; sql: string }>(statement).toArray();
}

function isInternal(name: string): boolean {
  return name.startsWith("sqlite_") || name.startsWith("_cf_");
}

function* rows(source: Source, table: string): Generator<string> {
  for (const row of source.exec(`SELECT * FROM ${table}`).raw<Cell[]>()) {
    yield `INSERT INTO ${table} VALUES (${row.map(literal).join(", ")});${END_OF_STATEMENT}`;
  }
}

function literal(value: Cell): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return hex(new Uint8Array(value));
  // SQLite's text literals have no escape but the doubled quote, and no statement may contain the mark of its end.
  if (/[\n\r\0]/.test(value)) return `CAST(${hex(new TextEncoder().encode(value))} AS TEXT)`;
  return `'${value.replaceAll("'", "''")}'`;
}

function hex(bytes: Uint8Array): string {
  return `X'${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
}

/**
 * Replaces the content of a database by a dump. Call it in a transaction, which is to be rolled back if it throws.
 * @throws {Error} in words for the operator: that it is no backup, or not a whole one, or why it cannot be read
 */
export function load(exec: Exec, text: string): void {
  if (!text.startsWith(HEADER)) throw new Error("this is not a backup of Hours Tracker");
  if (!text.endsWith(`${FOOTER}\n`)) throw new Error("this backup is incomplete: its end is missing");
  exec("PRAGMA defer_foreign_keys = TRUE");
  const tables = exec("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name));
  for (const table of tables.filter((name) => !isInternal(name))) exec(`DROP TABLE ${table}`);
  for (const statement of text.split(END_OF_STATEMENT)) {
    if (!isComment(statement)) exec(statement);
  }
  const [broken] = exec("PRAGMA foreign_key_check");
  if (broken) throw new Error(`this backup has rows of ${broken.table} that refer to missing rows`);
}

function isComment(statement: string): boolean {
  return statement.split("\n").every((line) => line === "" || line.startsWith("--"));
}
