import { timeOf } from "./backup-name.ts";
import type { Job } from "./nightly.ts";
import { type Stream, unpacked } from "./packing.ts";
import { newestIn } from "./take.ts";

/** A backup in a store, and its content as SQL. */
interface Found {
  backup: string;
  place: string;
  sql: Stream;
}

/**
 * Opens a stored backup: `latest`, or one by its name. The folder comes first, then the S3-compatible store; `latest` is the
 * newest complete backup of the first that has one.
 * @throws {Error} a message for the operator
 */
export async function openBackup(
  { folder, s3, key }: Pick<Job, "folder" | "s3" | "key">,
  from: string,
): Promise<Found> {
  if (from !== "latest" && !timeOf(from)) throw new Error(`${from} is not the name of a backup, nor latest`);
  for (const store of [folder, ...(s3 ? [s3] : [])]) {
    const name = from === "latest" ? await newestIn(store) : from;
    const stored = name && (await store.read(name));
    if (stored) return { backup: name, place: store.place, sql: await unpacked(stored, key) };
  }
  const places = s3 ? "neither the folder backups of this data folder nor the S3 store has" : NO_STORE;
  throw new Error(`${places} ${from === "latest" ? "a complete backup" : from}`);
}

const NO_STORE = "the folder backups of this data folder has no such backup, and no S3 store is set:";
