import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Miniflare, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as optionsFromConfig } from "wrangler";
import { fail, run } from "./process.ts";

/** Where the local database lives. */
export const dataDir = resolve(process.env.DATA_DIR || ".data");

/** wrangler keeps local databases in this folder of what `--persist-to` names; Miniflare is pointed at the same. */
const d1Persist = join(dataDir, "v3", "d1");

/** Nothing of wrangler's leaves the machine, and it asks no question. */
const quietWrangler = { WRANGLER_SEND_METRICS: "false", CI: "true", WRANGLER_LOG: "error", NO_COLOR: "1" };

/** Brings a local database up to date with `migrations/`. */
export async function migrate(directory = dataDir): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", directory];
  const { status, output } = await run("wrangler", args, { quiet: true, env: quietWrangler });
  if (status !== 0) fail(`The database could not be prepared:\n${output}`);
}

/** The secret of this installation: the environment's, or one that is made once and kept beside the data. */
export function sessionSecret(): string {
  if (process.env.SESSION_SECRET) return process.env.SESSION_SECRET;
  const file = join(dataDir, "session-secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already.
  }
  return readFileSync(file, "utf8").trim();
}

/** The options that `wrangler.toml` gives the built Worker: its flags, its database, its static files. */
function workerOptions(): WorkerOptions {
  const { workerOptions } = optionsFromConfig("wrangler.toml");
  return {
    ...workerOptions,
    name: "hours-tracker",
    modulesRoot: "build/server",
    modules: [{ type: "ESModule", path: "build/server/index.js" }],
  } as WorkerOptions; // the helper's own type still allows a service-worker script
}

/** The built Worker in workerd, on a free port of this machine, over the local database. */
export async function serveWorker(bindings: Record<string, string>): Promise<Miniflare> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const options = workerOptions();
  return new Miniflare({
    ...options,
    bindings: { ...(options as { bindings?: object }).bindings, ...bindings },
    host: "127.0.0.1",
    port: 0,
    d1Persist,
    // What Cloudflare's edge would say of the client; otherwise Miniflare asks for it over the network.
    cf: { timezone: timeZone },
    telemetry: { enabled: false },
  } as ConstructorParameters<typeof Miniflare>[0]);
}

/** The local database alone, for commands that work on it while the app may be running. */
export async function withLocalDatabase<T>(work: (binding: D1Database) => Promise<T>): Promise<T> {
  await migrate();
  const { d1Databases } = workerOptions() as { d1Databases?: Record<string, string> };
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    d1Databases: d1Databases ?? {},
    d1Persist,
  });
  try {
    return await work((await miniflare.getD1Database("DB")) as unknown as D1Database); // Miniflare types its own copy
  } finally {
    await miniflare.dispose();
  }
}
