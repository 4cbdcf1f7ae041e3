import { completeBackups, LATEST, timeOf } from "./backup-name.ts";
import type { Job } from "./nightly.ts";
import type { Stream } from "./packing.ts";
import { isFarAhead } from "./schedule.ts";
import type { Store } from "./store.ts";

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
