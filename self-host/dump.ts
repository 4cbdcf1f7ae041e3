import type { Exec } from "./migrations.ts";

/**
 * A database as SQL that SQLite and wrangler can read. Each statement ends with a comment line of its own, and line
 * breaks in values are encoded, so that the text can be split into statements without parsing SQL.
 */
const END_OF_STATEMENT = "\n--;\n";
const HEADER = "-- Hours Tracker backup";
/** An incomplete backup lacks this line. */
const FOOTER = "-- end of backup";
/** Before the number of rows of each table, as JSON. */
const ROWS = "-- rows ";

export const INCOMPLETE = "this backup is incomplete: its end is missing";

/** Not in a backup: rate limits, by which a restore would lock out whoever was locked out when it was taken. */
const LEFT_OUT = "attempts";

/** The number of rows by table. */
export type Rows = Record<string, number>;

type Cell = string | number | null | ArrayBuffer;

type Source = Pick<SqlStorage, "exec">;

/** So that two dumps at the same time are different statements: the runtime closes a cursor whose statement runs again. */
let dumps = 0;

/**
 * The database in pieces: all tables, because SQLite refuses a row while a table that it may refer to is missing; the rows; then
 * indexes, triggers and views, of which the first two would slow down or reject the rows. Nothing may be written until the last piece is read, so
 * that it is consistent.
 */
export function* dump(source: Source, now: Date): Generator<string> {
  dumps += 1;
  const tables = schema(source, "type = 'table'").filter(({ name }) => !isInternal(name));
  yield `${HEADER}, ${now.toISOString()}${END_OF_STATEMENT}`;
  yield `${ROWS}${JSON.stringify(rowCounts(source, tables))}${END_OF_STATEMENT}`;
  yield `PRAGMA defer_foreign_keys = TRUE;${END_OF_STATEMENT}`;
  for (const { sql } of tables) yield `${sql};${END_OF_STATEMENT}`;
  for (const { name } of tables) if (name !== LEFT_OUT) yield* rows(source, name, dumps);
  yield `DELETE FROM sqlite_sequence;${END_OF_STATEMENT}`;
  yield* rows(source, "sqlite_sequence", dumps);
  for (const { sql } of schema(source, "type <> 'table'")) yield `${sql};${END_OF_STATEMENT}`;
  yield `${FOOTER}\n`;
}

function rowCounts(source: Source, tables: { name: string }[]): Rows {
  const count = (name: string) =>
    name === LEFT_OUT ? 0 : source.exec<{ n: number }>(`SELECT count(*) AS n FROM ${name}`).one().n;
  return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
}

function schema(source: Source, where: string): { name: string; sql: string }[] {
  const statement = `SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${where} ORDER BY rowid`;
  return source.exec<{ name: string; sql: string }>(statement).toArray();
}

function isInternal(name: string): boolean {
  return name.startsWith("sqlite_") || name.startsWith("_cf_");
}

function* rows(source: Source, table: string, number: number): Generator<string> {
  for (const row of source.exec(`SELECT * FROM ${table} /* ${number} */`).raw<Cell[]>()) {
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

/** Splits a backup into its statements, from pieces of its text. */
export class Statements {
  #rest = "";
  #isBegun = false;

  /**
   * The statements that end in this piece.
   * @throws {Error} a message for the operator, if this is not a backup
   */
  add(piece: string): string[] {
    const statements = (this.#rest + piece).split(END_OF_STATEMENT);
    this.#rest = statements.pop() ?? "";
    if (!this.#isBegun && statements[0] !== undefined) {
      if (!statements[0].startsWith(HEADER)) throw new Error(NO_BACKUP);
      this.#isBegun = true;
    }
    return statements;
  }

  /** @throws {Error} a message for the operator, if the end is missing */
  end(): void {
    if (!this.#isBegun && !this.#rest.startsWith(HEADER)) throw new Error(NO_BACKUP);
    if (this.#rest !== `${FOOTER}\n`) throw new Error(INCOMPLETE);
  }
}

const NO_BACKUP = "this is not a backup of Hours Tracker";

/** The rows that a statement announces for the whole backup, or null for other statements. */
export function announcedRows(statement: string): Rows | null {
  return statement.startsWith(ROWS) ? JSON.parse(statement.slice(ROWS.length)) : null;
}

/** The table into which a statement inserts a row, or null. */
export function filledTable(statement: string): string | null {
  return /^INSERT INTO (\w+) VALUES \(/.exec(statement)?.[1] ?? null;
}

/** The tables that a backup has created so far, by the names in its statements. */
export class CreatedTables {
  /** The tables to which each refers. */
  readonly #references = new Map<string, string[]>();

  /** Whether this statement creates a table. It is counted from now on. */
  add(statement: string): boolean {
    const name = /^CREATE TABLE "?(\w+)/.exec(statement)?.[1];
    if (name === undefined) return false;
    this.#references.set(
      name,
      [...statement.matchAll(/\bREFERENCES "?(\w+)/g)].map(([, other = ""]) => other),
    );
    return true;
  }

  /** A table without which rows of this table are refused, even if they do not refer to it; or null. */
  missingFor(table: string): string | null {
    if (isInternal(table)) return null;
    const needed = [table, ...(this.#references.get(table) ?? [])];
    return needed.find((name) => !this.#references.has(name)) ?? null;
  }
}

/**
 * Replaces the content of a database with a backup, in pieces of its text. Call it in a transaction and roll back if it
 * throws. Returns the rows by table, as counted in the database.
 * @throws {Error} a message for the operator: the text is not a backup, is incomplete, or cannot be loaded
 */
export function load(exec: Exec, pieces: Iterable<string>): Rows {
  exec("PRAGMA defer_foreign_keys = TRUE");
  for (const view of own(exec, "view")) exec(`DROP VIEW ${view}`);
  // The last one first: no table then refers to one that is gone.
  for (const table of own(exec, "table").reverse()) exec(`DROP TABLE ${table}`);
  const statements = new Statements();
  let announced: Rows | null = null;
  for (const piece of pieces) {
    for (const statement of statements.add(piece)) {
      announced ??= announcedRows(statement);
      if (!isComment(statement)) exec(statement);
    }
  }
  statements.end();
  const [broken] = exec("PRAGMA foreign_key_check");
  if (broken) throw new Error(`this backup has rows of ${broken.table} that refer to missing rows`);
  const counted = Object.fromEntries(
    own(exec, "table").map((table) => [table, Number(exec(`SELECT count(*) AS n FROM ${table}`)[0]?.n)]),
  );
  if (!announced) throw new Error(NO_BACKUP);
  requireSameRows(counted, announced);
  return counted;
}

/** @throws {Error} a message for the operator, naming the first table whose rows differ */
export function requireSameRows(counted: Rows, announced: Rows): void {
  for (const table of new Set([...Object.keys(announced), ...Object.keys(counted)])) {
    const [found, wanted] = [counted[table] ?? 0, announced[table] ?? 0];
    if (found !== wanted) throw new Error(`this backup has ${found} rows of ${table} instead of ${wanted}`);
  }
}

/** The names of the tables or views that are not SQLite's or the runtime's. */
function own(exec: Exec, type: "table" | "view"): string[] {
  const names = exec("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY rowid", type).map(({ name }) =>
    String(name),
  );
  return names.filter((name) => !isInternal(name));
}

function isComment(statement: string): boolean {
  return statement.split("\n").every((line) => line === "" || line.startsWith("--"));
}
