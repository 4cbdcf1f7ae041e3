import { randomBytes } from "node:crypto";

/** A call of a D1 binding in another program: of one statement, or of a batch of them. */
export interface Question {
  kind: "all" | "raw" | "run" | "first" | "batch";
  statements: { sql: string; values: unknown[] }[];
}

type Ask = (question: Question) => Promise<unknown>;

/** Answers a question with the binding itself. */
export async function questionTo(database: D1Database, { kind, statements }: Question): Promise<unknown> {
  const prepared = statements.map(({ sql, values }) => database.prepare(sql).bind(...values));
  if (kind === "batch") return database.batch(prepared);
  const [first]: Record<typeof kind, () => Promise<unknown>>[] = prepared;
  return first?.[kind]();
}

/** Only this process knows it: on this machine anybody can reach a Worker in Miniflare, by its port and `MF-Route-Override`. */
const KEY = randomBytes(32).toString("base64url");

/**
 * A Worker that answers questions. The proxy that Miniflare offers for a binding waits synchronously for each `prepare` and
 * `bind`, which takes ten times as long as the statements.
 */
export const DATABASE_WORKER = {
  name: "database",
  modules: true,
  bindings: { KEY },
  script: `export default {
    async fetch(request, { DB, KEY }) {
      if (request.headers.get("Authorization") !== KEY) return new Response(null, { status: 404 });
      const { kind, statements } = await request.json();
      const prepared = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
      try {
        return Response.json({ result: kind === "batch" ? await DB.batch(prepared) : await prepared[0][kind]() });
      } catch (error) {
        return Response.json({ error: error.message });
      }
    },
  }`,
} as const;

/** What fetches from `DATABASE_WORKER`: Miniflare has types of its own for it. */
type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<{ json(): Promise<unknown> }>;

/** The database behind a `DATABASE_WORKER` of this process. */
export function databaseBehind(fetch: Fetch): D1Database {
  const headers = { Authorization: KEY };
  return borrowedDatabase(async (question) => {
    const answer = await fetch("http://database/", { method: "POST", headers, body: JSON.stringify(question) });
    return answer.json();
  });
}

/** A D1 binding whose every question is answered elsewhere. */
export function borrowedDatabase(ask: Ask): D1Database {
  const answer = async (kind: Question["kind"], statements: Statement[]) => {
    const reply = (await ask({ kind, statements: statements.map(({ sql, values }) => ({ sql, values })) })) as {
      result?: unknown;
      error?: string;
    } | null; // the other end is `reply` in holder.ts
    if (!reply) throw new Error("Hours Tracker stopped in the middle of the work. Try again.");
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.result;
  };

  class Statement {
    readonly sql: string;
    readonly values: unknown[];
    constructor(sql: string, values: unknown[] = []) {
      this.sql = sql;
      this.values = values;
    }
    bind = (...values: unknown[]) => new Statement(this.sql, values);
    all = () => answer("all", [this]);
    raw = () => answer("raw", [this]);
    run = () => answer("run", [this]);
    first = () => answer("first", [this]);
  }

  const database = {
    prepare: (sql: string) => new Statement(sql),
    batch: (statements: Statement[]) => answer("batch", statements),
    // It has no replicas that could be behind.
    withSession: () => database,
    getBookmark: () => null,
  };
  return database as unknown as D1Database; // as much of it as Drizzle and our commands use
}
