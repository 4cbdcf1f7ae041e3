import { createHash, createHmac } from "node:crypto";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { inject } from "vitest";
import { dataFolderOf } from "./data-folder.ts";
import { sendTo } from "./send.ts";
import type { Transport } from "./transport.ts";

/**
 * The tables that a statement may scan: the rows of a JSON list that it brings itself (a virtual table), a constant, a
 * result (the spans of progress, the 200 certificates held, the records `logged` that may equal those of an import, the
 * `recent` requests of a technician, `their_openings` of a supervisor, the `spellings` of their mailbox), and the
 * signing keys, of which there is one for each rotation.
 */
export const MAY_SCAN =
  /^SCAN (json_each|\w+ VIRTUAL TABLE|CONSTANT ROW|\d+-ROW VALUES CLAUSE|span$|held$|logged$|recent$|their_openings$|spellings$|\(subquery-\d+\)|signing_keys$)/;

/** One numbered file of `migrations/`, as the statements that D1 runs one by one. */
export interface Migration {
  name: string;
  statements: string[];
}

/** A statement to send to the Worker, like a `D1PreparedStatement`. */
interface Statement {
  sql: string;
  values: unknown[];
}

/** One call of the database: a statement by itself, or several as one transaction. */
interface Call {
  statements: Statement[];
  isBatch: boolean;
}

/** The answer to a call: the results of its statements, or D1's message. */
type Answer = { results: D1Result[] } | { error: string };

/** The database of a Worker that includes `sql.js`: `prepare`, `bind`, `run`, `all`, `first` and `batch`. */
export function databaseOf(transport: Pick<Transport, "dispatchFetch">): D1Database {
  const request = async (calls: Call[]): Promise<Answer[]> => {
    const answer = await transport.dispatchFetch("http://harness.test/", {
      method: "POST",
      body: JSON.stringify(calls),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Answer[];
  };
  // Calls that are made at once, as by the parts of a sweep, share a request: it costs more than most statements.
  let calls: Call[] = [];
  let answers: Promise<Answer[]> | null = null;
  const send = async (statements: Statement[], isBatch: boolean) => {
    const index = calls.push({ statements: statements.map(({ sql, values }) => ({ sql, values })), isBatch }) - 1;
    answers ??= setImmediate().then(() => {
      const all = calls;
      [calls, answers] = [[], null];
      return request(all);
    });
    const answer = (await answers)[index];
    if (!answer || "error" in answer) throw new Error(answer?.error);
    return answer.results;
  };
  const prepare = (sql: string, values: unknown[] = []) => {
    const run = async () => (await send([{ sql, values }], false))[0];
    const first = async () => (await run())?.results[0] ?? null;
    return { sql, values, bind: (...bound: unknown[]) => prepare(sql, bound), run, all: run, first };
  };
  const batch = (statements: Statement[]) => send(statements, true);
  return { prepare, batch } as unknown as D1Database; // the part that the tests use
}

const ONLY_SQL = `
import { runSql } from "./sql.js";
export default { fetch: (request, env) => runSql(request, env.DB) };
`;

/** Starts a D1 database without a Worker, of the files in a folder. */
function databaseIn(data: string): Miniflare {
  return new Miniflare({
    modulesRoot: resolve("tests/worker"),
    modules: [
      { type: "ESModule", path: resolve("tests/worker/only-sql.js"), contents: ONLY_SQL },
      { type: "ESModule", path: resolve("tests/worker/sql.js") },
    ],
    cf: false,
    d1Databases: ["DB"],
    d1Persist: data,
    // Past Miniflare's own Worker, which takes a third of the time of a call.
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    telemetry: { enabled: false },
  });
}

async function connectTo(miniflare: Miniflare): Promise<D1Database> {
  await miniflare.ready;
  const { port } = await miniflare.unsafeGetDirectURL();
  return databaseOf({ dispatchFetch: (url, init) => sendTo(Number(port), url, init) });
}

/** Creates a D1 database without a Worker, with these migrations or all of them. */
export async function startDatabase(migrations?: Migration[]): Promise<D1Database> {
  const data: string = dataFolderOf(() => miniflare.dispose());
  if (!migrations) copyTemplate(data, "DB");
  const miniflare = databaseIn(data);
  const db = await connectTo(miniflare);
  if (migrations) await migrate(db, migrations);
  return db;
}

/** Makes the files of an empty database with all migrations, for `copyTemplate`. */
export async function makeTemplate(folder: string, migrations: Migration[]): Promise<void> {
  const miniflare = databaseIn(folder);
  await migrate(await connectTo(miniflare), migrations);
  await miniflare.dispose();
}

/** Copies the database that was made once for all tests into a folder, under the name by which D1's files are found. */
export function copyTemplate(folder: string, name: string): void {
  const files = join(inject("template"), OBJECTS);
  mkdirSync(join(folder, OBJECTS), { recursive: true });
  for (const file of readdirSync(files)) {
    if (file.startsWith(idOf("DB")))
      cpSync(join(files, file), join(folder, OBJECTS, file.replace(idOf("DB"), idOf(name))));
  }
}

/** The folder and the class of D1's Durable Objects. */
const OBJECTS = "miniflare-D1DatabaseObject";

/** The id of the Durable Object with this name, as workerd makes it. */
function idOf(name: string): string {
  const key = createHash("sha256").update(OBJECTS).digest();
  const hmac = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const ofName = hmac(name);
  return Buffer.concat([ofName, hmac(ofName)]).toString("hex");
}

/** Applies migrations in order, each as one transaction, as wrangler does. */
export async function migrate(db: D1Database, migrations: Migration[] = inject("migrations")): Promise<void> {
  for (const { statements } of migrations) {
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/** Returns the rows of a statement. */
export async function rows<Row = Record<string, unknown>>(
  db: D1Database,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** Returns the random value that represents a user in the hashes of their records. */
export async function ownerOf(db: D1Database, userId: number): Promise<string> {
  const [user] = await rows<{ owner: string }>(db, "SELECT lower(hex(owner)) AS owner FROM users WHERE id = ?", userId);
  if (!user) throw new Error(`there is no user ${userId}`);
  return user.owner;
}

/** Counts the rows of a table that match the condition. */
export async function count(db: D1Database, table: string, where = "1", ...values: unknown[]): Promise<number> {
  const [row] = await rows<{ n: number }>(db, `SELECT count(*) AS n FROM ${table} WHERE ${where}`, ...values);
  return row?.n ?? 0;
}
