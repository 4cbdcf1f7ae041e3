// The built Worker over a database with one read replica, which lags as long as a test wants. Not part of the product:
// D1 has no replicas on one machine, so two databases act as primary and replica here, by the rules of D1's Sessions
// API.
import app from "./index.js";
import { runSql } from "./sql.js";

const HARNESS = "harness.test";

/** Every write of the primary, in order, and how many of them the replica has applied. */
const writes = [];
let replicated = 0;

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.hostname !== HARNESS) {
      const headers = new Headers(request.headers);
      headers.set("Host", url.host);
      return app.fetch(new Request(request, { headers }), { ...env, DB: replicatedDatabase(env) }, context);
    }
    if (url.pathname === "/catch-up") {
      await catchUp(env, writes.length);
      return new Response(null);
    }
    // The tests' own SQL, on both alike.
    const [forPrimary, forReplica] = [request.clone(), request];
    await runSql(forReplica, env.REPLICA);
    return runSql(forPrimary, env.PRIMARY);
  },
};

/** Brings the replica to this position by applying the primary's writes. */
async function catchUp(env, version) {
  while (replicated < version) {
    const parts = writes[replicated];
    replicated += 1;
    await env.REPLICA.batch(parts.map(({ sql, values }) => env.REPLICA.prepare(sql).bind(...values)));
  }
}

/** Returns a bookmark that looks like D1's: a number of writes. */
const bookmarkOf = (version) => `${version.toString(16).padStart(8, "0")}-00000000-00000000-${"0".repeat(32)}`;

const isRead = ({ sql }) => /^\s*select\b/i.test(sql);

function replicatedDatabase(env) {
  return { withSession: (start) => session(env, start) };
}

/**
 * A session: its first read goes to the primary if it says so, else to the replica, which first catches up with the
 * session. A write goes to the primary, and the session has seen it.
 */
function session(env, start) {
  let seen = /^[0-9a-f]{8}-/.test(start) ? Number.parseInt(start.slice(0, 8), 16) : 0;
  let needsPrimary = start === "first-primary";
  const run = async (parts) => {
    const isWrite = !parts.every(isRead);
    const atPrimary = isWrite || needsPrimary;
    if (!atPrimary) await catchUp(env, seen);
    const database = atPrimary ? env.PRIMARY : env.REPLICA;
    const results = await database.batch(parts.map(({ sql, values }) => database.prepare(sql).bind(...values)));
    if (isWrite) writes.push(parts);
    if (atPrimary) seen = writes.length;
    else seen = Math.max(seen, replicated);
    needsPrimary = false;
    return results;
  };
  const statement = (sql, values) => {
    const all = async () => (await run([{ sql, values }]))[0];
    return {
      sql,
      values,
      bind: (...bound) => statement(sql, bound),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
      raw: async () => (await all()).results.map(Object.values),
    };
  };
  return { prepare: (sql) => statement(sql, []), batch: run, getBookmark: () => bookmarkOf(seen) };
}
