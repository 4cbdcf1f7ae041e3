import { logEvent } from "#app/server/logger.server.ts";
import type { Rows } from "#self-host/dump.ts";
import { piecesOf, streamOf } from "#self-host/dump-stream.ts";
import { messageOf } from "#self-host/error-message.ts";
import type { Database, Preparation } from "#self-host/storage.ts";
import { openBackup } from "./find.ts";
import type { Job } from "./nightly.ts";
import { type Stream, unpacked } from "./packing.ts";

/** Where a restore finds stored backups, and the database that it fills. */
export interface Target {
  database: Pick<DurableObjectStub<Database>, "hasAccounts" | "restore">;
  job: Pick<Job, "folder" | "s3" | "key">;
}

/** The rows by table, and which backup it was and from where, if it was a stored one. */
type Outcome = { problem: string } | { backup?: string; place?: string; rows: Rows };

/**
 * Fills a database without accounts from a backup: from a stream, or a stored one by its name or as `latest`. It never throws;
 * after a problem nothing has changed.
 */
export async function restore({ database, job }: Target, from: string | Stream): Promise<Outcome> {
  const errors: string[] = [];
  try {
    const { stored, ...facts } = typeof from === "string" ? await openBackup(job, from, new Date()) : { stored: from };
    // The other Worker gets the error of a stream without its words.
    const sql = streamOf(unpacked(piecesOf(stored), job.key), (error) => errors.push(messageOf(error)));
    const outcome = await database.restore(sql);
    return "problem" in outcome ? { problem: errors[0] ?? outcome.problem } : { ...facts, rows: outcome.rows };
  } catch (error) {
    return { problem: errors[0] ?? messageOf(error) };
  }
}

/**
 * Restores the backup that `RESTORE_FROM` names, before the app answers anything. A database with accounts stays as it is, so
 * the setting may stay, too. Returns null, or why the app cannot start.
 */
export async function restoreAtStart(
  target: Target,
  from: string | null,
): Promise<Pick<Preparation, "problem" | "reason" | "advice"> | null> {
  if (!from) return null;
  if (await target.database.hasAccounts()) {
    logEvent("info", "restore not needed", {
      advice: "This database has accounts. Remove RESTORE_FROM from the settings.",
    });
    return null;
  }
  const outcome = await restore(target, from);
  if (!("problem" in outcome)) {
    logEvent("info", "restore", outcome);
    return null;
  }
  if (await target.database.hasAccounts()) return null; // a request beside this one has restored it
  return {
    problem: `the backup was not restored: ${outcome.problem}`,
    reason: "The backup that RESTORE_FROM names was not restored. The log says why.",
    advice: "Nothing was changed, and it is tried again. docs/backups.md says where a backup is looked for.",
  };
}
