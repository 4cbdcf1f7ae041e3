import { messageOf } from "#app/errors.ts";

/** Lets some work wait while other work goes on. */
class Gate {
  #closed: Promise<void> | null = null;

  /**
   * Resolves when the gate is open. Another caller may close it in the same turn; that does no harm, because a copy of the
   * database is first read in a later one.
   */
  async opened(): Promise<void> {
    while (this.#closed) await this.#closed;
  }

  /** Closes the gate, which must be open. Returns the function that opens it; calling it again does nothing. */
  close(): () => void {
    let release = () => {};
    const closed = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#closed = closed;
    return () => {
      if (this.#closed === closed) this.#closed = null;
      release();
    };
  }
}

/** A value between the runtime's D1 binding and its database. Bytes are a list of numbers. */
type Value = number | string | null | number[];

interface Query {
  sql: string;
  params?: Value[] | null;
}

/** D1's facts about an executed statement. */
interface Meta {
  served_by: string;
  served_by_primary: true;
  /** In milliseconds. */
  duration: number;
  changes: number;
  last_row_id: number;
  changed_db: boolean;
  /** In bytes. */
  size_after: number;
  rows_read: number;
  rows_written: number;
}

/** The header of a session's bookmark: the binding sends its last one and stores the one in the answer. */
const BOOKMARK = "x-cf-d1-session-commit-token";

/**
 * Answers the runtime's D1 binding (`cloudflare-internal:d1-api`) from a SQLite database: `/query` and `/execute`, with
 * one statement or several in one transaction. Errors are sent with status 200; the binding throws them as `D1_ERROR:
 * …`.
 */
export class D1 {
  /** Closed while a copy of the database is read. */
  readonly writes = new Gate();
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** Grows with every change, and starts above the bookmarks of earlier runs. */
  #bookmark: number = Date.now() * 1000;

  constructor(storage: Pick<DurableObjectStorage, "sql" | "transactionSync">) {
    this.#storage = storage;
  }

  async answer(request: Request): Promise<Response> {
    const asked: Query | Query[] = await request.json();
    const asRows = new URL(request.url).searchParams.get("resultsFormat") === "ROWS_AND_COLUMNS";
    const queries = [asked].flat().filter(({ sql }) => sql.replace(/--.*$|\s/gm, "") !== "");
    if (!queries.every(isRead)) await this.writes.opened();
    try {
      if (queries.length === 0) throw new Error("No SQL statements detected.");
      const results = this.#storage.transactionSync(() => queries.map((query) => this.#run(query, asRows)));
      if (results.some(({ meta }) => meta.changed_db)) this.#bookmark += 1;
      return Response.json(results, { headers: { [BOOKMARK]: this.#bookmark.toString(16).padStart(16, "0") } });
    } catch (error) {
      return Response.json({ success: false, error: messageOf(error) });
    }
  }

  #run({ sql, params }: Query, asRows: boolean) {
    const { sql: database } = this.#storage;
    const start = performance.now();
    const size = database.databaseSize;
    const before = this.#counters();
    const bound = (params ?? []).map((value) => (Array.isArray(value) ? new Uint8Array(value).buffer : value));
    const cursor = database.exec(sql, ...bound);
    const columns = cursor.columnNames;
    const rows = [...cursor.raw()].map((row) => row.map(asValue));
    const after = this.#counters();
    const changes = after.changes - before.changes;
    const meta: Meta = {
      served_by: "hours-tracker",
      served_by_primary: true,
      duration: performance.now() - start,
      changes,
      last_row_id: after.lastRowId,
      changed_db: changes !== 0 || after.lastRowId !== before.lastRowId || database.databaseSize !== size,
      size_after: database.databaseSize,
      rows_read: cursor.rowsRead,
      rows_written: cursor.rowsWritten,
    };
    const results = asRows
      ? { columns, rows }
      : rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));
    return { success: true, results, meta };
  }

  #counters(): { changes: number; lastRowId: number } {
    return this.#storage.sql
      .exec<{ changes: number; lastRowId: number }>(
        "SELECT total_changes() AS changes, last_insert_rowid() AS lastRowId",
      )
      .one();
  }
}

/** A `WITH` can be a write. */
function isRead({ sql }: Query): boolean {
  return /^\s*(--.*\n\s*)*SELECT\b/i.test(sql);
}

function asValue(value: SqlStorageValue): Value {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}
