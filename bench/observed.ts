import "./own-data.ts"; // before all others
import { join, resolve } from "node:path";
import { cookiesFor } from "#app/server/context.server.ts";
import type { Statement } from "#demo/statements.ts";
import build from "#scripts/build.ts";
import {
  config,
  databaseAlone,
  databaseOf,
  migrate,
  miniflareModule,
  withoutLog,
  workerOptionsFrom,
} from "#scripts/lib/local.ts";
import { beforeEnd } from "#scripts/lib/process.ts";
import { dataDir, sessionSecret } from "#scripts/lib/settings.ts";
import { beside, HARNESS } from "#tests/worker/harness.ts";
import { sessionOf, type Technician } from "./seed.ts";

const ORIGIN = "http://localhost";

/** The cost of one request in D1. */
interface Spent {
  status: number;
  read: number;
  written: number;
  text: string;
}

/** The built Worker with an observed database, as in the tests (tests/worker/instrumented-entry.js). */
export interface Observed {
  ask(method: string, path: string, as: Technician | null, body?: object): Promise<Spent>;
  query(sql: string, ...values: unknown[]): Promise<D1Result<Record<string, unknown>>>;
  /** The totals that D1 has counted since the start: requests, the work behind them, and the timer. */
  spent(): Promise<{ queries: number; read: number; written: number; milliseconds: number }>;
  /** Sets the Worker's clock, and resolves when the work behind the responses so far is done. */
  setClock(at: Date): Promise<void>;
  /** Runs the timer. */
  tick(at: Date): Promise<void>;
}

/** Starts the Worker with a new database that `fill` has filled. */
export async function startObserved(fill: Statement[], env: Record<string, string> = {}): Promise<Observed> {
  await build();
  await migrate();
  const alone = databaseAlone();
  const database = databaseOf(alone);
  const statements = fill.map(({ sql, values }) => database.prepare(sql).bind(...values));
  for (const statement of statements) await statement.run();
  await alone.dispose();

  const server = resolve("build/server");
  const { compatibilityDate, compatibilityFlags } = workerOptionsFrom("wrangler.toml").workerOptions;
  const miniflare = new (miniflareModule().Miniflare)({
    name: "hours-tracker",
    ...(compatibilityDate && { compatibilityDate }),
    ...(compatibilityFlags && { compatibilityFlags }),
    modulesRoot: server,
    modules: [...beside(server, HARNESS), { type: "ESModule", path: join(server, "index.js") }],
    bindings: { SESSION_SECRET: sessionSecret(), ...env },
    d1Databases: { DB: config().d1_databases[0]?.preview_database_id ?? "DB" },
    d1Persist: join(dataDir, "v3", "d1"),
    cf: { timezone: "Europe/Oslo" },
    telemetry: { enabled: false },
    handleRuntimeStdio: withoutLog,
  });
  beforeEnd(() => miniflare.dispose());
  const { session } = cookiesFor(ORIGIN, sessionSecret());

  /** Asks the harness (tests/worker/instrumented-entry.js), which says so if it does not know the question. */
  const harness = async (question: string, init?: Parameters<typeof miniflare.dispatchFetch>[1]) => {
    const answer = await miniflare.dispatchFetch(`http://harness.test/${question}`, init);
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  };

  return {
    async ask(method, path, as, body) {
      const cookie = as && (await session.serialize(sessionOf(as))).split(";")[0];
      const answer = await miniflare.dispatchFetch(`${ORIGIN}${path}`, {
        method,
        redirect: "manual",
        headers: { ...(cookie && { Cookie: cookie }), ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const [read = 0, written = 0] = (answer.headers.get("x-d1-rows") ?? "").split(" ").map(Number);
      return { status: answer.status, read, written, text };
    },
    async query(sql, ...values) {
      const body = JSON.stringify([{ statements: [{ sql, values }], isBatch: false }]);
      const answer = await harness("", { method: "POST", body });
      // As runSql in tests/worker/sql.js answers one call.
      const [call] = (await answer.json()) as { results?: D1Result<Record<string, unknown>>[]; error?: string }[];
      const [result] = call?.results ?? [];
      if (!result) throw new Error(call?.error ?? "the database did not answer");
      return result;
    },
    spent: async () => (await (await harness("spent")).json()) as Awaited<ReturnType<Observed["spent"]>>,
    async setClock(at) {
      await harness("idle");
      await harness(`clock?at=${at.getTime()}`);
    },
    async tick(at) {
      const worker = await miniflare.getWorker();
      await worker.scheduled({ cron: "* * * * *", scheduledTime: at });
    },
  };
}
