import { parseArgs } from "node:util";
import { registrationSchema } from "#app/accounts/user.schema.ts";
import type { Execute } from "#app/db/client.server.ts";
import { migrationFiles } from "#self-host/build/modules.ts";
import { type Allowed, APPLIED, namesQuery, SCHEMA, versionProblem } from "#self-host/migrations.ts";
import { config, withLocalDatabase } from "./local.ts";
import { fail, messageOf, run } from "./process.ts";
import { dataDir } from "./settings.ts";

/** Ends the command if `wrangler.toml` has no id of the database on Cloudflare. */
export function requireRemoteDatabase(): void {
  const id = config().d1_databases[0]?.database_id ?? "";
  if (!/^[0-]*$/.test(id)) return; // a placeholder
  fail(`wrangler.toml has no database yet:

  npx wrangler login
  npx wrangler d1 create hours-tracker

prints a database_id; put it into wrangler.toml.`);
}

/** Ends the command if `wrangler.toml` has no public origin. */
export function requirePublicOrigin(): void {
  const origin = config().vars.PUBLIC_ORIGIN;
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

/** The arguments of a command that is about one email address. Ends the command if there is another number of them. */
export function emailArgs(args: string[], question: string, usage: string): { isRemote: boolean; email: string } {
  const { isRemote, positionals } = databaseArgs(args, usage);
  const [text, ...others] = positionals;
  if (!text || others.length > 0) fail(`${question} ${usage}`);
  const { success, data: email } = registrationSchema.shape.email.safeParse(text);
  return success ? { isRemote, email } : fail(`${text} is not an email address. ${usage}`);
}

/**
 * Runs some work on the local database or on the one on Cloudflare. Ends the command if that has no tables, lacks one, or
 * must not be used by this version.
 */
export async function withDatabase<T>(
  isRemote: boolean,
  work: (execute: Execute) => Promise<T>,
  allowed: Allowed = {},
): Promise<T> {
  if (isRemote) {
    requireRemoteDatabase();
    const { isNew, problem } = await remoteVersion(allowed);
    if (isNew) fail("The database on Cloudflare has no tables yet: npm run deploy makes them.");
    if (problem) fail(`The database on Cloudflare cannot be used: ${problem}. Nothing was changed.`);
    return work(executeRemotely);
  }
  try {
    return await withLocalDatabase(
      (database) => work(async (sql) => (await database.prepare(sql).all()).results),
      allowed,
    );
  } catch (error) {
    const [lack] = /no such (table|column): \w+/.exec(messageOf(error)) ?? [];
    if (lack) fail(`The database in ${dataDir} is damaged or of another version: ${lack}.`);
    throw error;
  }
}

/**
 * Ends the command if the database on Cloudflare is of another version: this Worker could not use it, or an older one would
 * replace a newer one.
 */
export async function requireKnownMigrations(): Promise<void> {
  const { problem } = await remoteVersion();
  if (problem) fail(`Nothing was deployed: ${problem}.`);
}

/** Whether the database on Cloudflare is new, and why this version must not use it, or null. */
async function remoteVersion(allowed: Allowed = {}): Promise<{ isNew: boolean; problem: string | null }> {
  const schema = await executeRemotely(SCHEMA);
  if (!schema.some(({ name }) => name === "d1_migrations")) return { isNew: true, problem: null };
  const known = migrationFiles();
  const query = namesQuery(schema, known);
  const names = query ? await executeRemotely(query) : [];
  const applied = await executeRemotely(APPLIED);
  return { isNew: false, problem: versionProblem({ applied, schema, names }, known, allowed) };
}

async function executeRemotely(sql: string): Promise<Record<string, unknown>[]> {
  const args = ["d1", "execute", "DB", "--remote", "--json", "--command", sql];
  const env = { WRANGLER_SEND_METRICS: "false", CI: "true" };
  const { status, output, stdout } = await run("wrangler", args, { quiet: true, env });
  if (status !== 0) fail(`The statement failed on Cloudflare:\n${output}`);
  const answers: { results: Record<string, unknown>[] }[] = JSON.parse(stdout);
  return answers[0]?.results ?? [];
}
