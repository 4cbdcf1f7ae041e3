// The built Worker with its database under observation. Not part of the product: the tests start this module, which
// hands every request on to `build/server/index.js` with `env.DB` wrapped, and says in the answer what the wrapper saw.
import app from "./index.js";
import { runSql } from "./sql.js";

/** At this host it answers what it has seen, or a test's own SQL; the app never gets such a request. */
const HARNESS = "harness.test";

/** Every SQL text that the app has run, with the values that were bound to it last. */
const statements = new Map();

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).hostname === HARNESS) {
      return request.method === "POST" ? runSql(request, env.DB) : Response.json([...statements]);
    }
    const trips = new Trips(Number(request.headers.get("x-fail-d1-round-trip")) || Number.POSITIVE_INFINITY);
    const answer = await app.fetch(await whole(request), { ...env, DB: observed(env.DB, trips) }, context);
    const reported = new Response(answer.body, answer);
    reported.headers.set("x-d1-round-trips", String(trips.count));
    return reported;
  },

  scheduled: (controller, env, context) =>
    app.scheduled(controller, { ...env, DB: observed(env.DB, new Trips(Number.POSITIVE_INFINITY)) }, context),
};

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
  /** @param {number} failAt the round trip, counted from 1, that fails without reaching the database */
  constructor(failAt) {
    this.failAt = failAt;
  }

  async make(trip, parts) {
    this.count += 1;
    for (const { sql, values } of parts) statements.set(sql, values);
    if (this.count === this.failAt) throw new Error("D1_ERROR: the network connection was lost");
    return trip();
  }
}

/** A D1 binding whose `batch()`, and each statement's `run`, `all`, `first` and `raw`, is one round trip. */
function observed(database, trips) {
  const wrap = (real, sql, values) => {
    const alone = (name) => (options) => trips.make(() => real[name](options), [{ sql, values }]);
    return {
      real,
      sql,
      values,
      bind: (...bound) => wrap(real.bind(...bound), sql, bound),
      run: alone("run"),
      all: alone("all"),
      first: alone("first"),
      raw: alone("raw"),
    };
  };
  return {
    prepare: (sql) => wrap(database.prepare(sql), sql, []),
    batch: (parts) => trips.make(() => database.batch(parts.map(({ real }) => real)), parts),
    exec: (sql) => trips.make(() => database.exec(sql), [{ sql, values: [] }]),
    // Anything else would be a round trip that nobody counts.
    withSession: () => {
      throw new Error("the tests cannot count the round trips of withSession()");
    },
  };
}
