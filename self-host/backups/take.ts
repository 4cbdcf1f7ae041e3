import { DAY_MS } from "#app/calendar-date.ts";
import { messageOf } from "#app/errors.ts";
import {
  announcedRows,
  CreatedTables,
  filledTable,
  INCOMPLETE,
  type Rows,
  requireSameRows,
  Statements,
} from "#self-host/dump.ts";
import { breath, piecesOf, streamOf } from "#self-host/dump-stream.ts";
import { backupName, backupOf, completeBackups, hasReason, noteOf, type Reason, timeOf } from "./backup-name.ts";
import { type Digest, digested, packed, type Stream, unpacked } from "./packing.ts";
import { dayIn, isFarAhead } from "./schedule.ts";
import type { Store } from "./store.ts";

/** The number of backups, and the name of the period of which each is the last: a date, an ISO week, a month. */
const RULES: [count: number, periodOf: (day: string) => string][] = [
  [7, (day) => day],
  [4, mondayOf],
  [12, (day) => day.slice(0, 7)],
];

/** How long a backup with a reason is kept at least: until an update has proved itself. */
const WITH_REASON_MS = 30 * DAY_MS;

/**
 * Which backups may be deleted: all but the last ones of 7 days, of 4 weeks before those, and of 12 months before those,
 * 23 in all, and those of the last 30 days that somebody took or that were taken before a version. Periods without a backup do not count, so none of the 23 is
 * deleted because time has passed.
 */
export function expired(names: string[], zone: string, now: Date): string[] {
  const backups = names.flatMap((name) => {
    const taken = timeOf(name);
    return taken ? [{ name, taken: taken.getTime(), day: dayIn(zone, taken) }] : [];
  });
  backups.sort((a, b) => b.taken - a.taken);
  const kept = new Set<string>();
  const isRecent = (taken: number) => taken > now.getTime() - WITH_REASON_MS;
  for (const [count, periodOf] of RULES) {
    let [left, last] = [count, ""];
    for (const { name, day } of backups) {
      const period = periodOf(day);
      if (period === last) continue;
      last = period;
      if (kept.has(name)) continue;
      if (left === 0) break;
      kept.add(name);
      left -= 1;
    }
  }
  return backups
    .filter(({ name, taken }) => !kept.has(name) && !(hasReason(name) && isRecent(taken)))
    .map(({ name }) => name);
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** What a complete backup contains: its note, stored beside it, makes it count. */
interface Note extends Digest {
  rows: Rows;
}

/**
 * Reads a stored backup to its end, counts its rows by table, and checks that the tables that they need come before them.
 * @throws {Error} a message for the operator: it cannot be decrypted or decompressed, its end is missing, a table has
 * other rows than were in the database, or SQLite would refuse its rows
 */
async function check(stored: Stream, key: string | null): Promise<Note> {
  const { pieces, digest } = digested(piecesOf(stored));
  const statements = new Statements();
  const decoder = new TextDecoder();
  const created = new CreatedTables();
  const rows: Rows = {};
  let announced: Rows | null = null;
  for await (const piece of unpacked(pieces, key)) {
    await breath();
    for (const statement of statements.add(decoder.decode(piece, { stream: true }))) {
      announced ??= announcedRows(statement);
      created.add(statement);
      const table = filledTable(statement);
      if (!table) continue;
      const missing = created.missingFor(table);
      if (missing) throw new Error(`it cannot be loaded: its rows of ${table} come before the table ${missing}`);
      rows[table] = (rows[table] ?? 0) + 1;
    }
  }
  statements.end();
  if (!announced) throw new Error(INCOMPLETE);
  delete rows.sqlite_sequence; // SQLite's own
  requireSameRows(rows, announced);
  return { ...digest(), rows: announced };
}

let isTaking = false;

/** Whether a copy of the database is being written, so that writes wait. */
export function holdsWrites(): boolean {
  return isTaking;
}

/** What a backup is named after. */
interface Taking {
  key: string | null;
  now: Date;
  reason: Reason | null;
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
async function nextName(folder: Store, { key, now, reason }: Taking): Promise<string> {
  const names = await folder.list();
  const times = names.flatMap((name) => timeOf(backupOf(name)) ?? []).filter((time) => !isFarAhead(time, now));
  const last = Math.max(...times.map((time) => time.getTime()));
  return backupName(new Date(Math.max(now.getTime(), last + 1_000)), key !== null, reason);
}

/**
 * Copies a backup from the folder to another store, reads it back from there, and stores its note.
 * @throws {Error} a message for the operator; as above
 */
export async function copy(folder: Store, target: Store, name: string, key: string | null): Promise<void> {
  const note = await noteIn(folder, name);
  const stored = await folder.read(name);
  if (!note || !stored) throw new Error(`the backup ${name} is no longer in the folder`);
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
