import { readFileSync, statSync } from "node:fs";
import { checkLog, faultText } from "#app/audit-log/check-log.server.ts";
import { checkSchema } from "#app/audit-log/check-schema.server.ts";
import { tableFaults } from "#app/audit-log/check-tables.server.ts";
import type { Execute } from "#app/db/client.server.ts";
import { checkCheckpoints, type Mismatch } from "#app/proof/check-checkpoints.server.ts";
import { type Kept, readKept } from "#app/proof/kept-checkpoint.ts";
import { countedPlain } from "#app/ui/counted.ts";
import { fail } from "#scripts/lib/process.ts";
import { databaseArgs, withDatabase } from "#scripts/lib/remote.ts";
import { migrationFiles } from "#self-host/build/modules.ts";

const USAGE = `npm run verify-log [-- --remote] [-- --checkpoint CHECKPOINT]

CHECKPOINT is a file that was saved from /checkpoint, or its text, or the line of a form or an email:
"Log checkpoint: 120 events, root hash begins 47DEQpj8HBSa+/TI".`;

/** The exit codes: what is wrong with the kept checkpoint. 1 is a fault in the database itself. */
const UNREADABLE = 2;
const EXIT: Record<Mismatch["kind"], number> = { rewritten: 3, shorter: 4, signature: 5, origin: 6 };

/**
 * `npm run verify-log`: checks the audit log of every record, the ids and indexes of the tables, the checkpoints, the
 * triggers that protect them and all indexes, here or with `--remote` on Cloudflare, and prints each fault. With `--checkpoint` it also compares the log with a checkpoint that was kept elsewhere, which shows a
 * log that was rewritten with everything in the database.
 */
export default async function verifyLog(args: string[]): Promise<void> {
  const { isRemote, positionals, texts } = databaseArgs(args, USAGE, { checkpoint: { type: "string" } });
  const named = texts.checkpoint as string | undefined; // by its option
  if (positionals.length > 0) fail(`npm run verify-log takes no argument ${positionals[0]}.\n\n${USAGE}`);
  const kept = named === undefined ? null : readKept(isFile(named) ? readFileSync(named, "utf8") : named);
  if (named !== undefined && !kept) {
    console.error(`${named} is neither a file that exists nor the text of a checkpoint.\n\n${USAGE}`);
    process.exitCode = UNREADABLE;
    return;
  }
  const work = async (execute: Execute) => {
    const faults = await report(execute);
    const others = [...(await tableFaults(execute)), ...(await checkSchema(execute, migrationFiles()))];
    for (const text of others) console.log(sentence(text));
    return reportCheckpoints(execute, kept, faults + others.length);
  };
  process.exitCode = await withDatabase(isRemote, work, { withAnyTriggers: true });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns the number of faults. */
async function report(execute: Execute): Promise<number> {
  const { lines, erased, chains, verified, digest, faults } = await checkLog(execute, (...fault) => {
    console.log(`${faultText(...fault)}.`);
  });
  console.log(
    `${countedPlain(lines, "event")} of ${countedPlain(chains, "record")}; the personal data of ${countedPlain(erased, "event")} is erased. ${countedPlain(verified, "record")} ${verified === 1 ? "is" : "are"} verified.`,
  );
  console.log(`\nDigest of every last event and verified record: ${digest}`);
  return faults;
}

/** Returns the exit code. */
async function reportCheckpoints(execute: Execute, kept: Kept | null, before: number): Promise<number> {
  const { checkpoints, withoutKey, faults, mismatch } = await checkCheckpoints(execute, kept);
  for (const text of faults) console.log(sentence(text));
  const removed = withoutKey === 0 ? "" : `; the keys of ${withoutKey} of them are no longer in the list`;
  console.log(
    `${countedPlain(checkpoints, "stored checkpoint")} ${checkpoints === 1 ? "was" : "were"} compared with the events${removed}.`,
  );
  const sum = before + faults.length;
  console.log(sum === 0 ? "\nNo faults." : `\n${countedPlain(sum, "fault")}.`);
  if (kept)
    console.log(`\n${mismatch?.text ?? `The checkpoint of ${countedPlain(kept.size, "event")} matches the log.`}`);
  return mismatch ? EXIT[mismatch.kind] : Math.min(1, sum);
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
