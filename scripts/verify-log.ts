import { parseArgs } from "node:util";
import { checkLog, type Execute } from "#app/audit-log/check-log.server.ts";
import { withLocalDatabase } from "#scripts/lib/local.ts";
import { fail, messageOf } from "#scripts/lib/process.ts";
import { remoteDatabase } from "#scripts/lib/remote.ts";

/**
 * `npm run verify-log`: checks the log of every verification, here or with `--remote` on Cloudflare, and says what is
 * wrong with which line of which record. The digest that it prints is for noting elsewhere.
 */
export default async function verifyLog(args: string[]): Promise<void> {
  const faults = isRemote(args)
    ? await report(remoteDatabase())
    : await withLocalDatabase((database) => report(async (sql) => (await database.prepare(sql).all()).results));
  if (faults > 0) process.exitCode = 1;
}

function isRemote(args: string[]): boolean {
  try {
    // npm keeps a `--remote` that stands before `--` for itself, and says so here.
    const { values } = parseArgs({ args, options: { remote: { type: "boolean" } } });
    return values.remote ?? process.env.npm_config_remote === "true";
  } catch (error) {
    fail(`${messageOf(error)}\nnpm run verify-log [-- --remote]`);
  }
}

/** Returns how many faults there are. */
async function report(execute: Execute): Promise<number> {
  const { lines, chains, verified, older, digest, faults } = await checkLog(execute, (kind, id, { line, text }) => {
    const where = kind === null ? "The log" : `${kind.texts.title} ${id}${line === null ? "" : `, line ${line}`}`;
    console.log(`${where}: ${text}.`);
  });
  console.log(
    `${lines} lines about ${chains} records. ${verified} records are verified, ${older} of them since before`,
  );
  console.log(`there was a log.\n\nDigest of every last line: ${digest}`);
  console.log(faults === 0 ? "\nNo fault." : `\n${faults} ${faults === 1 ? "fault" : "faults"}.`);
  return faults;
}
