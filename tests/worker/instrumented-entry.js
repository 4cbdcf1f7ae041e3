// The built Worker with its database under observation. Not part of the product: the tests start this module, which
// passes every request on to `build/server/index.js` with `env.DB` wrapped, and adds the observations to the response
// as headers.

import { hashes } from "./cheap-crypto.js";
import { resetClock, setClock } from "./clock.js"; // before the app
import { OPEN, Race } from "./gate.js";
import { requireGuard } from "./guarded.js";
import app from "./index.js";
import { runSql } from "./sql.js";

/** Requests to this host return observations, or run a test's own SQL; they never reach the app. */
const HARNESS = "harness.test";

/** How many tasks behind the app's responses are running. */
let behind = 0;

/** Every SQL text that the app has run, with its latest bound values. */
const statements = new Map();

/** The database and the settings of the test file that uses this Worker now. */
let used = { database: "DB", settings: {} };

export default {
  async fetch(request, env, context) {
    try {
      return await answerTo(request, env, context);
    } catch (error) {
      return new Response(String(error.stack), { status: 500, headers: { "x-thrown": "1" } });
    }
  },

  scheduled,
};

async function answerTo(request, bindings, context) {
  const env = { ...bindings, ...used.settings, DB: bindings[used.database] };
  const { hostname, pathname, searchParams } = new URL(request.url);
  if (hostname !== HARNESS) return answered(request, env, context, OPEN);
  if (pathname === "/race") return Response.json(await raced(await request.json(), request.cf, env, context));
  if (pathname === "/tick") return ticked(Number(searchParams.get("at")), env, context);
  if (request.method === "POST") return runSql(request, env.DB);
  return answerOf(new URL(request.url));
}

function scheduled(controller, env, context) {
  return app.scheduled(controller, { ...env, DB: observed(env.DB, new Trips(), env.SABOTAGE) }, context);
}

/** Runs the scheduled handler. As for a real timer, nobody waits for its errors, which the app has logged. */
async function ticked(scheduledTime, env, context) {
  await scheduled({ scheduledTime, cron: "* * * * *" }, env, context).catch(() => {});
  return new Response();
}

/**
 * The app's answer to a request that stops at a gate around each of its round trips to the database. One with the header
 * `x-when-idle` waits for the work behind earlier answers: an event that is still being written would cost it a round trip.
 */
async function answered(request, env, context, gate) {
  if (request.headers.has("x-when-idle")) await idle();
  const trips = new Trips(request.headers.get("x-fail-d1-round-trip") ?? "", gate.pause);
  const sent = await whole(request);
  await gate.pause();
  const answer = await app
    .fetch(sent, { ...env, DB: observed(env.DB, trips, env.SABOTAGE) }, counted(context))
    .finally(gate.end);
  const reported = new Response(answer.body, answer);
  reported.headers.set("x-d1-round-trips", String(trips.count));
  reported.headers.set("x-d1-rows", `${trips.read} ${trips.written}`);
  return reported;
}

/** The answers to the requests of a race, as JSON; of one that threw, its error. */
function raced({ seed, requests }, cf, env, context) {
  const race = new Race(requests.length, seed);
  return Promise.all(
    requests.map(async ({ url, method, headers, body }, number) => {
      const bytes = body === null ? null : Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
      const request = new Request(url, { method, headers, body: bytes, cf, redirect: "manual" });
      try {
        const answer = await answered(request, env, context, race.gateOf(number));
        return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
      } catch (error) {
        return { error: String(error.stack) };
      }
    }),
  );
}

const NOTHING = { queries: 0, read: 0, written: 0, milliseconds: 0 };

/** What everything has cost since the start: requests, the work behind them, and the timer. */
const spent = { ...NOTHING };

/** Answers a question to the harness: one that it does not know with 404, so that nobody takes another answer for it. */
async function answerOf({ pathname: question, searchParams }) {
  if (question === "/use") {
    startOver(searchParams);
    return new Response();
  }
  if (question === "/clock") {
    setClock(Number(searchParams.get("at")));
    return new Response();
  }
  if (question === "/idle") {
    await idle();
    return new Response();
  }
  if (question === "/spent") return Response.json(spent);
  if (question === "/hashes") return Response.json(hashes.splice(0));
  if (question === "/") return Response.json([...statements]);
  return new Response(`The harness does not know ${question}.`, { status: 404 });
}

/** Forgets what it has observed, for the next test file. The mark shows where its log starts. */
function startOver(searchParams) {
  used = { database: searchParams.get("database"), settings: JSON.parse(searchParams.get("env")) };
  resetClock();
  statements.clear();
  hashes.length = 0;
  Object.assign(spent, NOTHING);
  console.log(searchParams.get("mark"));
  console.error(searchParams.get("mark"));
}

/** Waits for the work behind all answers. Somebody who asked again and again would take the time of that work. */
async function idle() {
  while (behind > 0) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** The context of a request, which counts the tasks passed to `waitUntil`. */
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
 * The request as Cloudflare would pass it on: `Host` is that of its address, which Miniflare replaces by its own, and
 * the whole body has been read. The app may refuse it unread; the connection could then be reset while the test is
 * still sending, and the test would see either by chance.
 */
async function whole(request) {
  const headers = new Headers(request.headers);
  headers.set("Host", new URL(request.url).host);
  const body = request.body && (await request.arrayBuffer());
  return new Request(request, { headers, ...(body && { body }) });
}

/** The round trips of one request. `make` handles everything that happens before, after or instead of one. */
class Trips {
  count = 0;
  /** Rows read and written according to D1, which bills by them. */
  read = 0;
  written = 0;
  /**
   * @param {string} fault the round trip that fails, counted from 1, and how: `2` does not reach the database, `2
   * after`   takes effect and its response is lost, and from `2 on` the database stays unreachable
   * @param {() => Promise<void>} pause runs before and after each round trip
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
    requireGuard(parts);
    await this.pause();
    const fails = this.how === "on" ? nth >= this.failAt : nth === this.failAt;
    if (fails && this.how !== "after") throw new Error(LOST);
    const result = await trip();
    for (const { meta } of [result].flat()) {
      this.read += meta?.rows_read ?? 0;
      this.written += meta?.rows_written ?? 0;
      spent.queries += 1;
      spent.read += meta?.rows_read ?? 0;
      spent.written += meta?.rows_written ?? 0;
      spent.milliseconds += meta?.duration ?? 0;
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
    // `first` and `raw` do not report how many rows they read. No statement of ours joins tables, so an object's values
    // are the row.
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
  // The app uses sessions alone.
  return { withSession: (start) => view(database.withSession(start)) };
}
