import { parseArgs } from "node:util";
import type { Execute } from "#app/db/execute.ts";
import { newerProblem } from "#self-host/migrations.ts";
import { config, migrationFiles, withLocalDatabase } from "./local.ts";
import { fail, messageOf, run } from "./process.ts";
import { dataDir } from "./settings.ts";

/** Ends the command if `wrangler.toml` has no id of the database on Cloudflare. */
export function requireRemoteDatabase(): void {
  const id = config.d1_databases[0]?.database_id ?? "";
  if (!/^[0-]*$/.test(id)) return; // a placeholder
  fail(`wrangler.toml has no database yet:

  npx wrangler login
  npx wrangler d1 create hours-tracker

prints a database_id; put it into wrangler.toml.`);
}

/** Ends the command if `wrangler.toml` has no public origin. */
export function requirePublicOrigin(): void {
  const origin = config.vars.PUBLIC_ORIGIN;
  if (typeof origin === "string" && origin.startsWith("https://")) return;
  fail("wrangler.toml has no PUBLIC_ORIGIN, the https:// address of the app; links and cookies are made for it.");
}

interface DatabaseArgs {
  isRemote: boolean;
  positionals: string[];
  /** The text of the option `--{named}`. */
  named: string | undefined;
}

/**
 * The arguments of a command for the local database or, with `--remote`, the one on Cloudflare, and of an option of its own
 * with a text. Ends the command if there is another option.
 */
export function databaseArgs(args: string[], usage: string, named?: string): DatabaseArgs {
  try {
    const own = named === undefined ? {} : { [named]: { type: "string" } as const };
    const options = { remote: { type: "boolean" }, ...own } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const text = named === undefined ? undefined : values[named as keyof typeof values]; // a name of `options`
    return {
      // npm takes a `--remote` before `--` as its own option, which is then in the environment.
      isRemote: values.remote ?? process.env.npm_config_remote === "true",
      positionals,
      named: typeof text === "string" ? text : undefined,
    };
  } catch (error) {
    const [sentence] = messageOf(error).split(". "); // Node adds how to pass it as an argument
    fail(`${sentence}.\n${usage}`);
  }
}

/** Runs some work on the local database or on the one on Cloudflare. Ends the command if that has no tables, or lacks one. */
export async function withDatabase<T>(isRemote: boolean, work: (execute: Execute) => Promise<T>): Promise<T> {
  if (isRemote) {
    requireRemoteDatabase();
    const tables = await executeRemotely("SELECT name FROM sqlite_master WHERE name = 'd1_migrations'");
    if (tables.length === 0) fail("The database on Cloudflare has no tables yet: npm run deploy makes them.");
    return work(executeRemotely);
  }
  try {
    return await withLocalDatabase((database) => work(async (sql) => (await database.prepare(sql).all()).results));
  } catch (error) {
    const [lack] = /no such (table|column): \w+/.exec(messageOf(error)) ?? [];
    if (lack) fail(`The database in ${dataDir} is damaged or of another version: ${lack}.`);
    throw error;
  }
}

/**
 * Ends the command if the database on Cloudflare has had a migration that this version does not know: an older Worker must not
 * replace a newer one. A database without the table of migrations is new.
 */
export async function requireKnownMigrations(): Promise<void> {
  const tables = await executeRemotely("SELECT name FROM sqlite_master WHERE name = 'd1_migrations'");
  if (tables.length === 0) return;
  const applied = await executeRemotely("SELECT name FROM d1_migrations");
  const problem = newerProblem(
    applied.map(({ name }) => name),
    migrationFiles(),
  );
  if (problem) fail(`Nothing was deployed: ${problem}.`);
}

async function executeRemotely(sql: string): Promise<Record<string, unknown>[]> {
  const args = ["d1", "execute", "DB", "--remote", "--json", "--command", sql];
  const env = { WRANGLER_SEND_METRICS: "false", CI: "true" };
  const { status, output, stdout } = await run("wrangler", args, { quiet: true, env });
  if (status !== 0) fail(`The statement failed on Cloudflare:\n${output}`);
  const answers: { results: Record<string, unknown>[] }[] = JSON.parse(stdout);
  return answers[0]?.results ?? [];
}
