import { checkLog } from "#app/audit-log/check-log.server.ts";
import type { Execute } from "#app/db/execute.ts";
import { fail } from "#scripts/lib/process.ts";
import { databaseArgs, withDatabase } from "#scripts/lib/remote.ts";

const USAGE = "npm run verify-log [-- --remote]";

/**
 * `npm run verify-log`: checks the audit log of every record, here or with `--remote` on Cloudflare, and prints each fault.
 * Keep the printed digest elsewhere: it shows later whether the past was changed.
 */
export default async function verifyLog(args: string[]): Promise<void> {
  const { isRemote, positionals } = databaseArgs(args, USAGE);
  if (positionals.length > 0) fail(USAGE);
  const faults = await withDatabase(isRemote, report);
  if (faults > 0) process.exitCode = 1;
}

/** Returns the number of faults. */
async function report(execute: Execute): Promise<number> {
  const { lines, erased, chains, verified, older, digest, faults } = await checkLog(
    execute,
    (kind, id, { line, text }) => {
      const where = kind === null ? "The log" : `${kind.texts.title} ${id}${line === null ? "" : `, event ${line}`}`;
      console.log(`${where}: ${text}.`);
    },
  );
  console.log(
    `${lines} events of ${chains} records; the personal data of ${erased} events is erased. ${verified} records are verified, ${older} of them before the log`,
  );
  console.log(`existed.\n\nDigest of every last event and verified record: ${digest}`);
  console.log(faults === 0 ? "\nNo faults." : `\n${faults} ${faults === 1 ? "fault" : "faults"}.`);
  return faults;
}
