import { once } from "node:events";
import { type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";

/** A call of a D1 binding from another process: one statement or a batch. */
interface Question {
  kind: "all" | "raw" | "run" | "first" | "batch";
  statements: { sql: string; values: unknown[] }[];
}

/** The outcome of the call (side-worker.mjs). */
export type Reply = { result?: unknown; error?: string };

/** Sends a call to the other program. Returns null if it has ended. */
export type Ask = (question: Question) => Promise<Reply | null>;

/** A D1 binding that passes all calls to another process. */
export function borrowedDatabase(ask: Ask): D1Database {
  const answer = async (kind: Question["kind"], statements: Question["statements"]) => {
    const reply = await ask({ kind, statements: statements.map(({ sql, values }) => ({ sql, values })) });
    if (!reply) throw new Error("Hours Tracker stopped in the middle of the work. Try again.");
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.result;
  };

  const prepare = (sql: string, values: unknown[] = []) => ({
    sql,
    values,
    bind: (...bound: unknown[]): unknown => prepare(sql, bound),
    all: () => answer("all", [{ sql, values }]),
    raw: () => answer("raw", [{ sql, values }]),
    run: () => answer("run", [{ sql, values }]),
    first: () => answer("first", [{ sql, values }]),
  });
  const database = {
    prepare,
    batch: (statements: Question["statements"]) => answer("batch", statements),
    // There are no replicas.
    withSession: () => database,
    getBookmark: () => null,
  };
  return database as unknown as D1Database; // what Drizzle and our commands use of it
}

/**
 * Sends one request, with a JSON body if there is one, on a connection of its own. Returns the JSON of the answer, or null if
 * there is none, or none within `timeout` milliseconds.
 */
export async function ask<Answer>(to: RequestOptions, body?: unknown): Promise<Answer | null> {
  const outgoing = request({ method: body === undefined ? "GET" : "POST", path: "/", agent: false, ...to });
  const response = once(outgoing, "response");
  outgoing.on("error", () => {}); // `response` or the body has it
  outgoing.on("timeout", () => outgoing.destroy());
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [incoming] = await response.catch(() => []);
  return incoming ? JSON.parse(await text(incoming)) : null;
}
