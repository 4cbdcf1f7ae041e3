import { fail, run } from "#scripts/lib/process.ts";
import { requirePublicOrigin, requireRemoteDatabase } from "#scripts/lib/remote.ts";
import build from "./build.ts";

/** `npm run deploy`: builds, brings the database on Cloudflare up to date, then puts the Worker there. */
export default async function deploy(): Promise<void> {
  requireRemoteDatabase();
  requirePublicOrigin();
  await build();
  // The migrations go first: each leaves the Worker that is still running able to work.
  for (const args of [["d1", "migrations", "apply", "DB", "--remote"], ["deploy"]]) {
    const { status } = await run("wrangler", args, { env: { WRANGLER_SEND_METRICS: "false", CI: "true" } });
    if (status !== 0) fail(`\`wrangler ${args.join(" ")}\` failed, and nothing after it was done.`);
  }
}
