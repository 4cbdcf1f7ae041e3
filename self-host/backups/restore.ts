import type { Db } from "#app/db/client.server.ts";
import { messageOf } from "#app/errors.ts";
import { noteRelease, noteRestore } from "#app/mail/changes.server.ts";
import { endUnsent, lastMessageId } from "#app/mail/outbox.server.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { completeBackups, LATEST, timeOf } from "#self-host/backups/backup-name.ts";
import { isFarAhead } from "#self-host/backups/schedule.ts";
import type { Store } from "#self-host/backups/store.ts";
import type { Rows } from "#self-host/dump.ts";
import { piecesOf, streamOf } from "#self-host/dump-stream.ts";
import type { Database, Preparation } from "#self-host/storage.ts";
import type { Job } from "./nightly.ts";
import { NO_KEY, type Stream, unpacked, WRONG_KEY } from "./packing.ts";

/** A backup in a store, and its content as stored. */
interface Found {
  backup: string;
  place: string;
  stored: Stream;
}

/**
 * Opens a stored backup: `latest`, or one by its name. The folder comes first, then the S3-compatible store; `latest` is the
 * newest complete backup of the first that has one.
 * @throws {Error} a message for the operator
 */
export async function openBackup({ folder, s3 }: Pick<Job, "folder" | "s3">, from: string, now: Date): Promise<Found> {
  if (from !== LATEST && !timeOf(from)) throw new Error(`${from} is not the name of a backup, nor ${LATEST}`);
  for (const store of [folder, ...(s3 ? [s3] : [])]) {
    const name = from === LATEST ? await latestIn(store, now) : from;
    const stored = name && (await store.read(name));
    if (stored) return { backup: name, place: store.place, stored };
  }
  const wanted = from === LATEST ? "a complete backup" : from;
  throw new Error(
    `${wanted} is missing: neither the folder backups ${s3 ? "nor the S3 store has it" : "has it, nor is an S3 store set"}`,
  );
}

/**
 * The newest complete backup, or null.
 * @throws {Error} if it is dated later than the clock: it may be years old, and which clock was wrong is not known
 */
async function latestIn(store: Store, now: Date): Promise<string | null> {
  const backups = completeBackups(await store.list());
  const [newest] = backups;
  const isLater = (name: string) => isFarAhead(timeOf(name) ?? now, now);
  if (!newest || !isLater(newest)) return newest ?? null;
  const earlier = backups.find((name) => !isLater(name));
  throw new Error(
    `${newest} is dated later than this machine's clock, ${now.toISOString().slice(0, 16)}Z: set the clock, or restore a backup by its name${earlier ? `; before it is ${earlier}` : ""}`,
  );
}

/** Where a restore finds stored backups, and the database that it fills. */
interface Target {
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

const OTHER_KEY = "Start the program with the BACKUP_KEY with which the backup was encrypted.";
const ELSEWHERE =
  "If the backup is elsewhere, copy it with its .json to DATA/backups, where DATA is the folder of -ddata=.";

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
  const isOfKey = [NO_KEY, WRONG_KEY].some((words) => outcome.problem.includes(words));
  return {
    problem: `the backup was not restored: ${outcome.problem}`,
    reason: "The backup that RESTORE_FROM names was not restored. The log says why.",
    advice: `The database stays without accounts, and it is tried again. ${isOfKey ? OTHER_KEY : ELSEWHERE} See docs/backups.md.`,
  };
}

/** How often the timer's work is repeated at most, to queue what is due. */
const MOST_RUNS = 100;

/** What `settleMail` works with. */
interface Mail {
  database: Pick<DurableObjectStub<Database>, "mailHold" | "setMailHold">;
  db: Db;
  /** `MAIL_AFTER_RESTORE`. */
  choice: string | null;
  /** Runs the timer's work while emails are held. */
  queueDue(): Promise<unknown>;
}

/**
 * Holds emails after a restore, because the program from which the backup was taken may have sent them or may still run. Returns
 * the code of the restore while they are held, or null. `MAIL_AFTER_RESTORE` with this code ends that: with `new` the emails
 * that waited in the backup, and those that the timer owed by then, end with an unknown outcome; with `all` they are sent.
 */
export async function settleMail({ database, db, choice, queueDue }: Mail): Promise<string | null> {
  const hold = await database.mailHold();
  if (!hold) return null;
  const { code } = hold;
  const last = hold.lastMessage ?? (await lastOwed(db, queueDue));
  if (hold.lastMessage === null) {
    await noteRestore(db, new Date(), code, last);
    await database.setMailHold({ code, lastMessage: last });
  }
  const [what, given] = choice?.split(":") ?? [];
  if (given === code) {
    const notSent = what === "new" ? await endUnsent(db, last, new Date()) : 0;
    await noteRelease(db, notSent);
    await database.setMailHold(null);
    logEvent("info", "mail released", { notSent });
    return null;
  }
  logEvent("warn", "mail held", {
    advice: `This database was restored from a backup, so no email is sent. To send what is queued from now on: MAIL_AFTER_RESTORE=new:${code}; to send also what waited in the backup: MAIL_AFTER_RESTORE=all:${code}. See docs/backups.md.`,
  });
  return code;
}

/** Lets the timer queue what is due, such as reminders, some at a time. Returns the id of the last message then. */
async function lastOwed(db: Db, queueDue: Mail["queueDue"]): Promise<number> {
  let last = await lastMessageId(db);
  for (let run = 0; run < MOST_RUNS; run += 1) {
    await queueDue();
    const next = await lastMessageId(db);
    if (next === last) return last;
    last = next;
  }
  return last;
}
