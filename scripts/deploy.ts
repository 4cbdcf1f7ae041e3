import { config } from "#scripts/lib/local.ts";
import { fail, run } from "#scripts/lib/process.ts";
import { remoteState, requireRemoteDatabase } from "#scripts/lib/remote.ts";
import { settingWarnings } from "#self-host/settings.ts";
import build from "./build.ts";

/** `npm run deploy`: builds, migrates the database on Cloudflare, then deploys the Worker. */
export default async function deploy(): Promise<void> {
  requireRemoteDatabase();
  const { vars } = config();
  for (const { advice } of settingWarnings(vars, "npm run deploy")) console.warn(advice);
  if (!String(vars.PUBLIC_ORIGIN).startsWith("https://"))
    fail("wrangler.toml has no PUBLIC_ORIGIN, the https:// address of the app; links and cookies are made for it.");
  // One of another version: this Worker could not use it, or an older one would replace a newer one.
  const { problem } = await remoteState();
  if (problem) fail(`Nothing was deployed: ${problem}.`);
  await build();
  // Migrations first: the Worker that is still running works with each of them.
  for (const args of [["d1", "migrations", "apply", "DB", "--remote"], ["deploy"]]) {
    const { status } = await run("wrangler", args, { env: { WRANGLER_SEND_METRICS: "false", CI: "true" } });
    if (status !== 0) fail(`\`wrangler ${args.join(" ")}\` failed, and nothing after it was done.`);
  }
}
