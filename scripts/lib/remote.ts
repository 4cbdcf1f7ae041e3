import { config } from "./local.ts";
import { fail, run } from "./process.ts";

const PLACEHOLDER = /^[0-]*$/;

/** Ends the command where `wrangler.toml` does not say which database on Cloudflare is ours. */
export function requireRemoteDatabase(): void {
  const id = config.d1_databases[0]?.database_id ?? "";
  if (!PLACEHOLDER.test(id)) return;
  fail(`wrangler.toml has no database yet:

  npx wrangler login
  npx wrangler d1 create hours-tracker

prints a database_id; put it into wrangler.toml.`);
}

/** Ends the command where `wrangler.toml` does not say under which address people reach the app. */
export function requirePublicOrigin(): void {
  const origin = config.vars.PUBLIC_ORIGIN;
  if (typeof origin === "string" && origin.startsWith("https://")) return;
  fail("wrangler.toml has no PUBLIC_ORIGIN, the https:// address of the app; links and cookies are made for it.");
}

/** Runs statements on the database on Cloudflare, through wrangler. */
export function remoteDatabase(): (sql: string) => Promise<Record<string, unknown>[]> {
  requireRemoteDatabase();
  return async (sql) => {
    const args = ["d1", "execute", "DB", "--remote", "--json", "--command", sql];
    const { status, output, stdout } = await run("wrangler", args, {
      quiet: true,
      env: { WRANGLER_SEND_METRICS: "false", CI: "true" },
    });
    if (status !== 0) fail(`The database on Cloudflare did not do it:\n${output}`);
    const answers: { results: Record<string, unknown>[] }[] = JSON.parse(stdout);
    return answers[0]?.results ?? [];
  };
}
