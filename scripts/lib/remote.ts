import { parseArgs } from "node:util";
import { registrationSchema } from "#app/accounts/user.schema.ts";
import type { Execute } from "#app/db/client.server.ts";
import { messageOf } from "#app/errors.ts";
import { migrationFiles } from "#self-host/build/modules.ts";
import { type Allowed, type State, stateOf } from "#self-host/migrations.ts";
import { config, withLocalDatabase } from "./local.ts";
import { fail, run } from "./process.ts";
import { dataDir } from "./settings.ts";

/** Ends the command if `wrangler.toml` has no id of the database on Cloudflare. */
export function requireRemoteDatabase(): void {
  const id = config().d1_databases[0]?.database_id ?? "";
  if (!/^[0-]*$/.test(id)) return; // zeros are a placeholder
  fail(`wrangler.toml has no database yet:

  npx wrangler login
  npx wrangler d1 create hours-tracker

prints a database_id; put it into wrangler.toml.`);
}

/**
 * The arguments of a command for the local database or, with `--remote`, the one on Cloudflare, and its `own` options.
 * Ends the command if there is another option.
 */
export function databaseArgs(args: string[], usage: string, own: { [name: string]: { type: "string" } } = {}) {
  try {
    const options = { ...own, remote: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { remote, ...texts }: { remote?: boolean; [name: string]: unknown } = values;
    // npm takes a `--remote` before `--` as its own option, which is then in the environment.
    return { isRemote: remote ?? process.env.npm_config_remote === "true", positionals, texts };
  } catch (error) {
    const [sentence] = messageOf(error).split(". "); // Node adds how to pass it as an argument
    return fail(`${sentence}.\n${usage}`);
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
    const { isNew, problem } = await remoteState(allowed);
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

/** Returns the state of the database on Cloudflare: which of this version's migrations it has. */
export function remoteState(allowed: Allowed = {}): Promise<State> {
  return stateOf(executeRemotely, migrationFiles(), allowed);
}

async function executeRemotely(sql: string): Promise<Record<string, unknown>[]> {
  const args = ["d1", "execute", "DB", "--remote", "--json", "--command", sql];
  const env = { WRANGLER_SEND_METRICS: "false", CI: "true" };
  const { status, output, stdout } = await run("wrangler", args, { quiet: true, env });
  if (status !== 0) fail(`The statement failed on Cloudflare:\n${output}`);
  const answers: { results: Record<string, unknown>[] }[] = JSON.parse(stdout);
  return answers[0]?.results ?? [];
}
