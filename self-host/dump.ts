import type { Exec } from "./migrations.ts";

/**
 * A database as SQL that SQLite and wrangler can read. Each statement ends with a comment line of its own, and line
 * breaks in values are encoded, so that the text can be split into statements without parsing SQL.
 */
const END_OF_STATEMENT = "\n--;\n";
const HEADER = "-- Hours Tracker backup";
/** An incomplete backup lacks this line. */
const FOOTER = "-- end of backup";

type Cell = string | number | null | ArrayBuffer;

type Source = Pick<SqlStorage, "exec">;

/**
 * The database in pieces: tables and rows, then indexes and triggers, which would slow down or reject the rows. Read it
 * without an `await` in between, so that it is consistent.
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
  // In SQLite a quote is escaped by doubling it. Line breaks are encoded, so that no value contains the end mark.
  if (/[\n\r\0]/.test(value)) return `CAST(${hex(new TextEncoder().encode(value))} AS TEXT)`;
  return `'${value.replaceAll("'", "''")}'`;
}

function hex(bytes: Uint8Array): string {
  return `X'${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
}

/**
 * Replaces the content of a database with a backup. Call it in a transaction and roll back if it throws.
 * @throws {Error} a message for the operator: the text is not a backup, is incomplete, or cannot be loaded
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
