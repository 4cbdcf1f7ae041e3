import { streamOf } from "#self-host/dump-stream.ts";
import { messageOf } from "#self-host/error-message.ts";
import { backupName, backupOf, completeBackups, noteOf, timeOf } from "./backup-name.ts";
import { check, type Note } from "./check.ts";
import { digested, packed, type Stream } from "./packing.ts";
import { expired } from "./retention.ts";
import { isFarAhead } from "./schedule.ts";
import type { Store } from "./store.ts";

let isTaking = false;

/** Whether a copy of the database is being written, so that writes wait. */
export function holdsWrites(): boolean {
  return isTaking;
}

/** What a backup is named after. */
export interface Taking {
  key: string | null;
  now: Date;
  isByHand: boolean;
}

/**
 * Writes a copy of the database into a folder, reads it back, and stores its note. Returns its name, or null if there is
 * nothing to copy.
 * @throws {Error} a message for the operator; nothing of it is left then, unless the folder cannot be written any more
 */
export async function take(
  folder: Store,
  snapshot: () => Promise<Stream | null>,
  taking: Taking,
): Promise<string | null> {
  const { key } = taking;
  // Both first: writes wait from the snapshot on, and a folder may be closed or its disk may hang.
  const name = await nextName(folder, taking);
  await folder.write(name, "");
  let sha256: string;
  isTaking = true;
  try {
    const sql = await snapshot();
    if (!sql) {
      await folder.remove(name);
      return null;
    }
    sha256 = await write(folder, name, sql, key);
  } finally {
    isTaking = false;
  }
  await finish(folder, name, sha256, key);
  return name;
}

/** Writes a copy of the database and returns its SHA-256. */
async function write(folder: Store, name: string, sql: Stream, key: string | null): Promise<string> {
  const { pieces, digest } = digested(packed(sql, key));
  const errors: unknown[] = [];
  try {
    await folder.write(
      name,
      streamOf(pieces, (error) => errors.push(error)),
    );
    if (errors.length > 0) throw errors[0];
    return digest().sha256;
  } catch (error) {
    // So that writes go on: if nothing has read it, and if the folder has read a part of it.
    sql.cancel().catch(() => {});
    pieces.return(undefined).catch(() => {});
    await folder.remove(name).catch(() => {});
    throw error;
  }
}

/**
 * A name later than those of all files: a backup that fails must not take a good one of the same second with it, and
 * the last of a day, which is kept, must be the one taken last. Only a clock that was far ahead is no measure.
 */
async function nextName(folder: Store, { key, now, isByHand }: Taking): Promise<string> {
  const names = await folder.list();
  const times = names.flatMap((name) => timeOf(backupOf(name)) ?? []).filter((time) => !isFarAhead(time, now));
  const last = Math.max(...times.map((time) => time.getTime()));
  return backupName(new Date(Math.max(now.getTime(), last + 1_000)), key !== null, isByHand);
}

/**
 * Copies a backup from the folder to another store, reads it back from there, and stores its note.
 * @throws {Error} a message for the operator; as above
 */
export async function copy(folder: Store, target: Store, name: string, key: string | null): Promise<void> {
  const note = await noteIn(folder, name);
  const stored = await folder.read(name);
  if (!note || !stored) throw new Error(`the backup ${name} is not in the folder any more`);
  try {
    await target.write(name, stored, note);
  } catch (error) {
    await target.remove(name).catch(() => {});
    throw error;
  }
  await finish(target, name, note.sha256, key);
}

/** Reads a written backup back and stores its note, without which it does not count. */
async function finish(store: Store, name: string, sha256: string, key: string | null): Promise<void> {
  try {
    const stored = await store.read(name);
    if (!stored) throw new Error("it is not there");
    const note = await check(stored, key);
    if (note.sha256 !== sha256) throw new Error("it has other bytes than were written");
    await store.write(noteOf(name), JSON.stringify(note));
  } catch (error) {
    await store.remove(name).catch(() => {});
    // The runtime answers 204 to a file for which there was no room.
    const advice = store.place === "folder" ? "; is the disk full?" : "";
    throw new Error(`reading ${name} back failed: ${messageOf(error)}${advice}`);
  }
}

/** The note of a complete backup, or null. */
export async function noteIn(store: Store, name: string): Promise<Note | null> {
  const stored = await store.read(noteOf(name));
  return stored && (await new Response(stored).json<Note>());
}

/** The name of the newest complete backup, or null. */
export async function newestIn(store: Store): Promise<string | null> {
  return completeBackups(await store.list())[0] ?? null;
}

/** Deletes the backups that are kept no longer, and returns their names. Others than complete ones are left alone. */
export async function removeExpired(store: Store, zone: string, now: Date): Promise<string[]> {
  const names = expired(completeBackups(await store.list()), zone, now);
  for (const name of names) {
    await store.remove(name);
    await store.remove(noteOf(name)); // second: a note without its backup is ignored
  }
  return names;
}
