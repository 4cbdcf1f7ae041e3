import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Miniflare as MiniflareClass, WorkerOptions } from "miniflare";
import { messageOf } from "#app/errors.ts";
import { migrationFiles } from "#self-host/build/modules.ts";
import { type Allowed, RECORD, RECORD_ONE, releaseOf, type State, stateOf } from "#self-host/migrations.ts";
import { type Ask, ask, borrowedDatabase, type Reply } from "./borrowed-database.ts";
import { borrowDatabase, holdData } from "./holder.ts";
import { beforeEnd, endUnforeseen, fail } from "./process.ts";
import {
  backUpBeforeVersion,
  dataDir,
  keep,
  kept,
  prepareDataDir,
  requireDataDir,
  VERSION_FILE,
  WHICH_FOLDER,
} from "./settings.ts";
import { printLog } from "./worker-log.ts";

/*
 * wrangler and Miniflare take a second and a half to load, so a command does it when it needs them: one that refuses its
 * settings needs neither. With `require` the TypeScript loader does not process their 12 MB, which takes half a second.
 */
const require = createRequire(import.meta.url);
const wrangler = () => require("wrangler") as typeof import("wrangler");

/** The module of Miniflare. */
export const miniflareModule = () => require("miniflare") as typeof import("miniflare");

/** The version of Miniflare's workerd. */
export const workerdVersion = () => (require("workerd/package.json") as { version: string }).version;

/** The options of the Worker in `wrangler.toml`, as Miniflare takes them. */
export const workerOptionsFrom = (file: string) => wrangler().unstable_getMiniflareWorkerOptions(file);

/** The parts of `wrangler.toml` that are used here; wrangler's own type is in a package that it does not install. */
interface Config {
  compatibility_date?: string;
  d1_databases: { binding: string; database_id?: string; preview_database_id?: string }[];
  vars: Record<string, unknown>;
}
export function config(): Config {
  return wrangler().unstable_readConfig({ config: "wrangler.toml" });
}

/** wrangler's folder for local databases below `--persist-to`. Miniflare uses the same. */
const d1In = (data: string) => join(data, "v3", "d1");

/** Cloudflare's facts about the client, which Miniflare would otherwise fetch over the network. */
export const cf = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };

/**
 * Applies the missing migrations to the local database, which is new if it has no tables; without `mayBeNew` the command then
 * ends. One with accounts that another version used last is copied before.
 */
export async function migrate({ mayBeNew = true, ...allowed }: Allowed & { mayBeNew?: boolean } = {}): Promise<void> {
  prepareDataDir();
  const [last, release] = [kept(VERSION_FILE), await releaseOf(migrationFiles())];
  const { missing, isNew, hasAccounts } = await preparing(async (database) => {
    const state = await localState(database, allowed);
    if (state.problem)
      fail(
        `The database in ${dataDir} cannot be used: ${state.problem}.${last ? ` It was last used by version ${last}, and this is version ${release}.` : ""} Nothing was changed.`,
      );
    if (state.isNew && mayBeNew) await applyMigrations(database, state.missing);
    return state;
  });
  if (isNew && !mayBeNew) fail(`The database in ${dataDir} has no tables. ${WHICH_FOLDER}`);
  if (hasAccounts && (missing.length > 0 || (last !== null && last !== release))) backUpBeforeVersion();
  if (missing.length > 0 && !isNew) await preparing((database) => applyMigrations(database, missing));
  if (last !== release) keep(VERSION_FILE, release);
}

/** Opens the local database without the app for some work. */
async function alone<T>(work: (database: D1Database) => Promise<T>): Promise<T> {
  const miniflare = databaseAlone();
  return work(databaseOf(miniflare)).finally(() => miniflare.dispose());
}

function preparing<T>(work: (database: D1Database) => Promise<T>): Promise<T> {
  return alone(work).catch((error) =>
    fail(
      `The database in ${dataDir} could not be prepared: ${messageOf(error)}
Either the disk is full, which \`df ${dataDir}\` shows, or the database is damaged: then put a copy of it in its place (docs/backups.md).`,
    ),
  );
}

/** Each migration is one transaction, as with `wrangler d1 migrations apply`, which would take four seconds to start. */
async function applyMigrations(database: D1Database, migrations: State["missing"]): Promise<void> {
  await database.prepare(RECORD).run();
  for (const { name, sql } of migrations) {
    const statements = wrangler().unstable_splitSqlQuery(sql);
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare(RECORD_ONE).bind(name),
    ]);
  }
}

/** Returns the state of the local database: which of this version's migrations it has. */
async function localState(database: D1Database, allowed: Allowed): Promise<State & { hasAccounts: boolean }> {
  const ask = async (sql: string) => (await database.prepare(sql).all()).results;
  const state = await stateOf(ask, migrationFiles(), allowed);
  const accounts = state.isNew ? [] : await ask("SELECT 1 FROM users LIMIT 1").catch(() => [{}]); // damaged, which the command says
  return { ...state, hasAccounts: accounts.length > 0 };
}

interface ServeOptions {
  build?: string;
  data?: string;
  quiet?: boolean;
  /** The entry around the Worker (self-host/npm-start.ts), and its check of the disk; without it there is only the Worker. */
  front?: { code: string; isHealthy: () => Promise<boolean> };
}

/**
 * Runs the built Worker in workerd on a free port, with the local database and these settings. Measurements use another
 * build with its own database.
 */
export function serveWorker(
  bindings: Record<string, string>,
  { build = "build", data = dataDir, quiet = false, front }: ServeOptions = {},
): MiniflareClass {
  const { workerOptions } = workerOptionsFrom("wrangler.toml");
  const script = `${build}/server/index.js`;
  const { Miniflare, Response: MiniflareResponse } = miniflareModule();
  const respondHealth = async () => new MiniflareResponse(null, { status: (await front?.isHealthy()) ? 200 : 503 });
  const app = {
    ...workerOptions,
    assets: { ...workerOptions.assets, directory: `${build}/client` },
    name: "hours-tracker",
    ...(front
      ? {
          modulesRoot: ".",
          modules: [asModule("front.js", front.code), asModule("binary:app", readFileSync(script, "utf8"))],
          serviceBindings: { HEALTH: respondHealth },
        }
      : { modulesRoot: `${build}/server`, modules: [{ type: "ESModule" as const, path: script }] }),
    ratelimits: {}, // the limits of wrangler.toml would override REQUESTS_PER_MINUTE
    bindings, // none from wrangler.toml, which are those of the deployment
  };
  return new Miniflare({
    workers: [app, sideWorker()],
    host: "127.0.0.1",
    port: 0,
    d1Persist: d1In(data),
    cf,
    telemetry: { enabled: false },
    handleRuntimeStdio: quiet ? withoutLog : printUntilEnd,
  });
}

/** A module of a Worker by the name that others import it by. */
function asModule(path: string, contents: string) {
  return { type: "ESModule" as const, path, contents };
}

/**
 * Prints workerd's log, and ends the command when workerd ends; otherwise the command could only answer 502. Only
 * workerd writes to these streams, so they end with it.
 */
function printUntilEnd(...streams: Readable[]): void {
  printLog(...streams);
  streams[0]?.once("end", () =>
    endUnforeseen("workerd, which runs the app, has ended. Saved data is still there: start again."),
  );
}

/** Discards the log of a measured app, which would otherwise block on a full pipe. */
export function withoutLog(...streams: NodeJS.ReadableStream[]): void {
  for (const stream of streams) stream.resume();
}

/** The local database without the app. With `isServing`, the command ends when the runtime does. */
export function databaseAlone({ isServing = false } = {}): MiniflareClass {
  const { Miniflare } = miniflareModule();
  return new Miniflare({
    workers: [sideWorker()],
    cf: false,
    d1Persist: d1In(dataDir),
    telemetry: { enabled: false },
    ...(isServing && { handleRuntimeStdio: printUntilEnd }),
  });
}

const SIDE_WORKER = "side-worker";

/** Known to this process only. */
const SECRET = randomUUID();

/** The options of the Worker through which Node reaches the database (side-worker.mjs). */
function sideWorker(): WorkerOptions {
  const { compatibility_date: compatibilityDate, d1_databases: databases } = config(); // `workerOptionsFrom` throws before the first build
  const ids = databases.map(({ binding, preview_database_id, database_id }) => [
    binding,
    preview_database_id ?? database_id ?? binding,
  ]);
  return {
    name: SIDE_WORKER,
    ...(compatibilityDate && { compatibilityDate }),
    modulesRoot: "scripts/lib",
    modules: [{ type: "ESModule", path: "scripts/lib/side-worker.mjs" }],
    bindings: { SECRET },
    d1Databases: Object.fromEntries(ids),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

/** Returns the function that sends calls to the database of a Miniflare. */
export function databaseAskerOf(miniflare: MiniflareClass): Ask {
  return async (question) => {
    const { hostname: host, port } = await miniflare.unsafeGetDirectURL(SIDE_WORKER);
    return ask<Reply>({ host, port, headers: { Authorization: SECRET } }, question);
  };
}

export function databaseOf(miniflare: MiniflareClass): D1Database {
  return borrowedDatabase(databaseAskerOf(miniflare));
}

/**
 * Runs some work on the local database: that of the running app, whose address `work` gets too, or else one that is opened
 * for this work. Ends the command if there is no database, and creates none.
 */
export async function withLocalDatabase<T>(
  work: (database: D1Database, address: string | null) => Promise<T>,
  allowed: Allowed = {},
): Promise<T> {
  requireDataDir();
  const borrowed = await borrowDatabase(); // first: an app that is starting may be making it
  if (borrowed) return work(borrowed.database, borrowed.address);
  const files = existsSync(d1In(dataDir)) ? readdirSync(d1In(dataDir), { recursive: true, encoding: "utf8" }) : [];
  if (!files.some((name) => name.endsWith(".sqlite") && !name.endsWith("metadata.sqlite")))
    fail(`There is no database in ${dataDir}. ${WHICH_FOLDER}`);
  const holding = await holdData();
  await migrate({ mayBeNew: false, ...allowed });
  return alone((database) => work(database, null)).finally(() => holding.release());
}

/**
 * Returns a function that runs the Worker's timer, after running it once. Until a function of Miniflare's proxy has
 * returned for the first time, Miniflare waits for it synchronously: Node then reads no output of workerd, and with
 * many open requests workerd waits for Node forever. So call this before accepting requests.
 */
export async function timerOf(miniflare: MiniflareClass): Promise<() => Promise<void>> {
  const worker = await miniflare.getWorker();
  const tick = async () => {
    const { outcome } = await worker.scheduled({ cron: "* * * * *" });
    if (outcome !== "ok") throw new Error(`it ended with ${outcome}`); // the app logs the reason
  };
  await tick().catch(() => {}); // an error occurs again in a minute and is logged then
  return tick;
}

/** Runs `work` once a minute until the command ends, like Cloudflare's Cron Trigger. Errors are logged. */
export function tickEachMinute(work: () => Promise<unknown>): void {
  const timer = setInterval(() => {
    work().catch((error) => console.error(`The timer's work failed: ${messageOf(error)}`));
  }, 60_000);
  beforeEnd(() => clearInterval(timer));
}
