// The built Worker with its database under observation. Not part of the product: the tests start this module, which
// hands every request on to `build/server/index.js` with `env.DB` wrapped, and says in the answer what the wrapper saw.
import { hashes } from "./cheap-crypto.js";
import { gateOf } from "./gate.js";
import app from "./index.js";
import { runSql } from "./sql.js";

/** At this host it answers what it has seen, or a test's own SQL; the app never gets such a request. */
const HARNESS = "harness.test";

/** How much of what the app does behind its answers is under way. */
let behind = 0;

/** Every SQL text that the app has run, with the values that were bound to it last. */
const statements = new Map();

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).hostname === HARNESS) {
      if (request.method === "POST") return runSql(request, env.DB);
      return answerOf(new URL(request.url).pathname);
    }
    const gate = gateOf(request);
    const trips = new Trips(request.headers.get("x-fail-d1-round-trip") ?? "", gate.pause);
    const sent = await whole(request);
    await gate.pause();
    const answer = await app.fetch(sent, { ...env, DB: observed(env.DB, trips, env.SABOTAGE) }, counted(context));
    gate.end();
    trips.pause = async () => {}; // what it does behind its answer is no part of the race
    const reported = new Response(answer.body, answer);
    reported.headers.set("x-d1-round-trips", String(trips.count));
    reported.headers.set("x-d1-rows", `${trips.read} ${trips.written}`);
    return reported;
  },

  scheduled: (controller, env, context) =>
    app.scheduled(controller, { ...env, DB: observed(env.DB, new Trips()) }, context),
};

/** What a test may ask of the harness. */
function answerOf(question) {
  if (question === "/behind") return Response.json(behind);
  if (question === "/hashes") return Response.json(hashes.splice(0));
  return Response.json([...statements]);
}

/** The context of a request that counts what it leaves behind. */
function counted(context) {
  const waitUntil = (work) => {
    behind += 1;
    context.waitUntil(
      work.finally(() => {
        behind -= 1;
      }),
    );
  };
  return { waitUntil, passThroughOnException: () => context.passThroughOnException() };
}

/**
 * The request as an edge would pass it on: `Host` is that of its address, which Miniflare replaces by its own, and all
 * of its body is here. The app may refuse it unread; the connection would then be reset while the test is
 * still sending, and which of the two the test sees first is chance.
 */
async function whole(request) {
  const headers = new Headers(request.headers);
  headers.set("Host", new URL(request.url).host);
  const body = request.body && (await request.arrayBuffer());
  return new Request(request, { headers, ...(body && { body }) });
}

/** The round trips of one request. Whatever shall happen before, after or instead of one happens in `make`. */
class Trips {
  count = 0;
  /** Rows that D1 says it read and wrote, which is what it charges for. */
  read = 0;
  written = 0;
  /**
   * @param {string} fault the round trip that fails, counted from 1, and how: `2` does not reach the database, `2 after`
   *   takes effect and its answer is lost, and from `2 on` the database is gone
   * @param {() => Promise<void>} pause what is waited for before and after each
   */
  constructor(fault = "", pause = async () => {}) {
    const [failAt, how] = fault.split(" ");
    this.failAt = Number(failAt) || Number.POSITIVE_INFINITY;
    this.how = how;
    this.pause = pause;
  }

  async make(trip, parts) {
    this.count += 1;
    const nth = this.count;
    for (const { sql, values } of parts) statements.set(sql, values);
    await this.pause();
    const fails = this.how === "on" ? nth >= this.failAt : nth === this.failAt;
    if (fails && this.how !== "after") throw new Error(LOST);
    const result = await trip();
    for (const { meta } of [result].flat()) {
      this.read += meta?.rows_read ?? 0;
      this.written += meta?.rows_written ?? 0;
    }
    await this.pause();
    if (fails) throw new Error(LOST);
    return result;
  }
}

const LOST = "D1_ERROR: the network connection was lost";

/** A D1 binding whose `batch()`, and each statement's `run`, `all`, `first` and `raw`, is one round trip. */
function observed(database, trips, sabotage = []) {
  const wrap = (real, sql, values) => {
    const all = () => trips.make(() => real.all(), [{ sql, values }]);
    // `first` and `raw` would keep to themselves how many rows they read. No statement of ours joins tables, so an
    // object's values are the row.
    return {
      real,
      sql,
      values,
      bind: (...bound) => wrap(real.bind(...bound), sql, bound),
      run: all,
      all,
      first: async () => (await all()).results[0] ?? null,
      raw: async () => (await all()).results.map(Object.values),
    };
  };
  const view = (real) => ({
    prepare(sql) {
      const text = sabotage.reduce((all, [from, to]) => all.replace(from, to), sql);
      return wrap(real.prepare(text), text, []);
    },
    batch: (parts) => trips.make(() => real.batch(parts.map(({ real }) => real)), parts),
    getBookmark: () => real.getBookmark(),
  });
  // The app goes through sessions alone.
  return { withSession: (start) => view(database.withSession(start)) };
}
