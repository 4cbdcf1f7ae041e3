import { type Column, getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import { AppError } from "#app/errors.ts";

export type Db = DrizzleD1Database;

/** The owner of the rows that a query may touch: a user's id, or an SQL expression that reads it from the session. */
export type Owner = number | SQL<number>;

export function connect(binding: D1Database): Db {
  return drizzle(binding);
}

export type Query = BatchItem<"sqlite">;

/** Named queries for one batch; a name can also hold a group of them. */
export interface Queries {
  [name: string]: Query | Queries;
}

/** The rows of a batch, by the names of its queries. */
export type Rows<Q> = {
  [Name in keyof Q]: NonNullable<Q[Name]> extends { _: { result: infer Result } } ? Result : Rows<Q[Name]>;
};

/**
 * Runs named queries as one D1 batch: one transaction and one round trip. Returns the rows under the same names. No
 * query may select two columns with the same name (so no joins), because D1 would shift them.
 * @throws {AppError} if it would store a row that refers to one that has been deleted: 401 if that is the viewer's account
 *   (`noteViewer`), else 409
 */
export async function batch<Q extends Queries>(db: Db, queries: Q): Promise<Rows<Q>> {
  const [first, ...rest] = listQueries(queries);
  const answers: unknown[] = !first
    ? []
    : await db.batch([first, ...rest]).catch(async (error) => {
        throw databaseMessage(error)?.includes("FOREIGN KEY") ? await missingReference(db) : error;
      });
  return nameRows(queries, answers.values()) as Rows<Q>; // in the order of `listQueries`
}

/**
 * The statement `INSERT INTO table SELECT values from`: Drizzle's own takes the values by position. A column that is not
 * named gets its default. `from` is `FROM … WHERE …` or only `WHERE …`.
 */
export function insertSelect<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  values: SQLiteInsertValue<Table>,
  from: SQL,
) {
  const given = new Map<string, unknown>(Object.entries(values));
  const list = Object.entries<Column>(getTableColumns(table)).map(([name, column]) => {
    const value = given.get(name) === undefined ? column.default : given.get(name);
    if (value === undefined || value === null) return sql`NULL`;
    return is(value, SQL) ? value : sql.param(value, column);
  });
  return db.insert(table).select(sql`SELECT ${sql.join(list, sql`, `)} ${from}`);
}

/** The user whose request has a connection. */
const viewers = new WeakMap<Db, number>();

/** Notes the signed-in user, so that `batch` can find out whether their account was deleted meanwhile. */
export function noteViewer(db: Db, { id }: { id: number }): void {
  viewers.set(db, id);
}

/**
 * Returns the error for a refused foreign key: the account was deleted during the request, or another row that this one
 * belongs to.
 */
async function missingReference(db: Db): Promise<AppError> {
  const viewer = viewers.get(db);
  const found = viewer === undefined ? [true] : await db.all(sql`SELECT 1 FROM users WHERE id = ${viewer}`);
  if (found.length === 0) return new AppError("unauthorized", "Unauthorized");
  return new AppError(
    "conflict",
    "Something that this belongs to was deleted at the same moment, so nothing was changed. Please try again.",
  );
}

function isQuery(value: Query | Queries): value is Query {
  return Object.getPrototypeOf(value) !== Object.prototype; // Drizzle's queries are class instances
}

function listQueries(queries: Queries): Query[] {
  return Object.values(queries).flatMap((value) => (isQuery(value) ? [value] : listQueries(value)));
}

function nameRows(queries: Queries, answers: Iterator<unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, value]) => [
      name,
      isQuery(value) ? answers.next().value : nameRows(value, answers),
    ]),
  );
}

/**
 * D1's message, if the database refused a statement (a unique column, a CHECK, a trigger), else null. Drizzle's own
 * message contains the bound values, so it is never read or logged.
 */
export function databaseMessage(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null;
  // A batch throws D1's error; a single statement throws Drizzle's, with D1's as its cause.
  const own = [error, cause].find((one) => one instanceof Error && one.message.startsWith("D1_ERROR"));
  return own instanceof Error ? own.message : null;
}

/** Whether the database refused a statement because its disk is full, or because it has reached its largest size. */
export function isFull(error: unknown): boolean {
  const causes = error instanceof Error ? [error, error.cause] : [];
  return causes.some((one) => one instanceof Error && /SQLITE_FULL|maximum DB size/i.test(one.message));
}

/** Rows by a key that `keyOf` reads of each, in their order. `Map.groupBy` is not in Node 20. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** The longest JSON of one bound value, in bytes: D1 takes 2 MB. */
const VALUE_BYTES_MAX = 1_500_000;

/** The list in parts, each short enough for a bound value. At least one. */
export function inChunks<Item extends object>(list: readonly Item[]): Item[][] {
  const chunks: Item[][] = [[]];
  let bytes = 0;
  for (const item of list) {
    const length = Buffer.byteLength(JSON.stringify(item)) + ",".length;
    if (bytes + length > VALUE_BYTES_MAX && bytes > 0) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(item);
    bytes += length;
  }
  return chunks;
}

/** The number of attempts of an operation that conflicts with other requests: about 9 seconds, waits included. */
export const ATTEMPTS = 20;

/** The longest wait after the first attempt, in milliseconds. It doubles after each attempt up to `LONGEST_WAIT`. */
const FIRST_WAIT = 10;
const LONGEST_WAIT = 1_000;

/** Waits before the next attempt, for a random time, so that conflicting requests do not meet again. */
export function backOff(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

/** Thrown if every attempt conflicted with other requests. Nothing was changed. */
export class TooManyConflictsError extends AppError {
  constructor() {
    super(
      "conflict",
      "This account was changed several times at the same moment, so nothing was saved. Please try again.",
    );
  }
}

/** Runs one SQL statement without bound values and returns its rows, here or on Cloudflare (`wrangler` takes no values). */
export type Execute = (sql: string) => Promise<Record<string, unknown>[]>;

/**
 * The id after which a walk in the order of ids begins: a row that was written past the CHECK may have a negative id.
 */
export const BEFORE_FIRST = Number.MIN_SAFE_INTEGER - 1;

/**
 * The SQL condition of the next rows of such a walk. JavaScript reads 2^53 + 1 as 2^53: a walk would come to such a row again
 * and again, so it ends before (app/audit-log/check-tables.server.ts finds the row).
 */
export function idsAfter(column: string, last: number): string {
  return `${column} > ${last} AND ${column} <= ${Number.MAX_SAFE_INTEGER}`;
}

/** An SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
