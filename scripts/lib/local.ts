import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Miniflare as MiniflareClass } from "miniflare";
import { DATABASE_WORKER, databaseBehind } from "./borrowed-database.ts";
import { beforeEnd, endUnforeseen } from "./ending.ts";
import { borrowDatabase, holdData } from "./holder.ts";
import { fail, run } from "./process.ts";
import { dataDir, prepareDataDir } from "./settings.ts";
import { printLog } from "./worker-log.ts";

// Required, not imported: this way 12 MB of wrangler are not read by a TypeScript loader, which takes half a second.
const require = createRequire(import.meta.url);
export const { Miniflare } = require("miniflare") as typeof import("miniflare");
export const { unstable_getMiniflareWorkerOptions: workerOptionsFrom, unstable_readConfig: readConfig } =
  require("wrangler") as typeof import("wrangler");

/** The parts of `wrangler.toml` that we read; wrangler's own type is in a package that it does not install. */
interface Config {
  d1_databases: { binding: string; database_id?: string; preview_database_id?: string }[];
  vars: Record<string, unknown>;
}
export const config: Config = readConfig({ config: "wrangler.toml" });

/** wrangler's folder of local databases within the one of `--persist-to`; Miniflare uses the same. */
const d1In = (data: string) => join(data, "v3", "d1");

/** Cloudflare's facts about the client; without them Miniflare would ask for them over the network. */
export const cf = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** wrangler sends no metrics and asks no question. */
const quietWrangler = { WRANGLER_SEND_METRICS: "false", CI: "true", WRANGLER_LOG: "error", NO_COLOR: "1" };

/** Applies the migrations that the local database lacks. wrangler is started only if there are any: it takes seconds. */
export async function migrate(): Promise<void> {
  prepareDataDir();
  const miniflare = databaseAlone();
  const isBehind = await lacksMigrations(await databaseOf(miniflare)).finally(() => miniflare.dispose());
  if (!isBehind) return;
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", dataDir];
  const { status, output } = await run("wrangler", args, { quiet: true, env: quietWrangler });
  if (status !== 0) fail(`The database in ${dataDir} could not be prepared:\n${output}`);
}

/** Compares `migrations/` with wrangler's own record of what it has applied. */
async function lacksMigrations(database: D1Database): Promise<boolean> {
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  try {
    const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
    const applied = new Set(results.map(({ name }) => name));
    return files.some((name) => !applied.has(name));
  } catch {
    return true; // a new database has no such table; wrangler reports any other fault
  }
}

/**
 * The built Worker in workerd, on a free port of this machine, over the local database and with these settings. Measurements
 * use another build, over a database of its own.
 */
export function serveWorker(
  bindings: Record<string, string>,
  { build = "build", data = dataDir, quiet = false }: { build?: string; data?: string; quiet?: boolean } = {},
): MiniflareClass {
  const { workerOptions } = workerOptionsFrom("wrangler.toml");
  return new Miniflare({
    workers: [
      {
        ...workerOptions,
        assets: { ...workerOptions.assets, directory: `${build}/client` },
        name: "hours-tracker",
        modulesRoot: `${build}/server`,
        modules: [{ type: "ESModule", path: `${build}/server/index.js` }],
        ratelimits: {}, // Miniflare's own would always have wrangler.toml's figure, and no REQUESTS_PER_MINUTE
        bindings, // and none of wrangler.toml's: those are the settings of the real deployment
      },
      { ...DATABASE_WORKER, d1Databases: databaseIds() },
    ],
    host: "127.0.0.1",
    port: 0,
    d1Persist: d1In(data),
    cf,
    telemetry: { enabled: false },
    handleRuntimeStdio: quiet ? withoutLog : printUntilEnd,
  });
}

/**
 * Prints workerd's log, and ends the command when workerd ends: without it the command could only answer 502. Only workerd
 * writes to these streams, so their end is its end.
 */
function printUntilEnd(...streams: Readable[]): void {
  printLog(...streams);
  streams[0]?.once("end", () =>
    endUnforeseen("workerd, which runs the app, has ended. What was saved is there: start again."),
  );
}

/** Reads the log of a measured app and drops it: the app would stop at a full pipe. */
export function withoutLog(...streams: NodeJS.ReadableStream[]): void {
  for (const stream of streams) stream.resume();
}

/** The local database without the app. With `isServing` the command ends when its runtime does. */
export function databaseAlone({ isServing = false } = {}): MiniflareClass {
  return new Miniflare({
    ...DATABASE_WORKER,
    cf: false,
    d1Databases: databaseIds(),
    d1Persist: d1In(dataDir),
    telemetry: { enabled: false },
    ...(isServing && { handleRuntimeStdio: printUntilEnd }),
  });
}

/** The id of each database by the name of its binding, as wrangler chooses it. */
function databaseIds(): Record<string, string> {
  const ids = config.d1_databases.map(({ binding, preview_database_id, database_id }) => [
    binding,
    preview_database_id ?? database_id ?? binding,
  ]);
  return Object.fromEntries(ids);
}

/** The database of `serveWorker` or `databaseAlone`. */
export async function databaseOf(miniflare: MiniflareClass): Promise<D1Database> {
  const worker = await miniflare.getWorker(DATABASE_WORKER.name);
  return databaseBehind((url, init) => worker.fetch(url, init));
}

/** Does some work on the local database: the running app's, or if none runs, one that is opened for this work. */
export async function withLocalDatabase<T>(work: (database: D1Database) => Promise<T>): Promise<T> {
  prepareDataDir();
  const borrowed = await borrowDatabase();
  if (borrowed) return work(borrowed);
  const holding = await holdData();
  await migrate();
  const miniflare = databaseAlone();
  try {
    return await work(await databaseOf(miniflare));
  } finally {
    await miniflare.dispose();
    await holding.release();
  }
}

/**
 * Returns the function that runs the Worker's timer, after running it once. Until a function of Miniflare's proxy has
 * answered once, Miniflare waits for it synchronously: Node then reads nothing that workerd writes, and with many
 * requests open workerd waits for Node for ever. So this is called before requests are accepted.
 */
export async function timerOf(miniflare: MiniflareClass): Promise<() => Promise<unknown>> {
  const worker = await miniflare.getWorker();
  const tick = () => worker.scheduled({ cron: "* * * * *" });
  await tick().catch(() => {}); // what fails now fails again in a minute, and is logged then
  return tick;
}

/** Does `work` once a minute until the command ends, as Cloudflare's Cron Trigger does. An error is one line in the log. */
export function tickEachMinute(work: () => Promise<unknown>): void {
  const timer = setInterval(() => {
    work().catch((error) =>
      console.error(`The timer's work failed: ${error instanceof Error ? error.message : error}`),
    );
  }, 60_000);
  beforeEnd(() => clearInterval(timer));
}
