/**
 * `hours-tracker-2026-11-22T02-30-00Z.sql.gz`, with `-by-hand` after the time if somebody took it, `-before-1.2.0` if it was
 * taken before that version, and `.enc` if it is encrypted. The time is that of the copy, in UTC.
 */
const NAME =
  /^hours-tracker-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-by-hand|-before-\d+\.\d+\.\d+)?\.sql\.gz(\.enc)?$/;

/** Why a backup was taken besides the nightly ones. */
export type Reason = "by-hand" | `before-${string}`;

/** A backup's note has its name and this ending. Only a backup with a note counts. */
const NOTE = ".json";

/** Instead of a name: the newest complete backup. */
export const LATEST = "latest";

export function backupName(taken: Date, isEncrypted: boolean, reason: Reason | null = null): string {
  const time = taken.toISOString().slice(0, 19).replaceAll(":", "-");
  return `hours-tracker-${time}Z${reason ? `-${reason}` : ""}.sql.gz${isEncrypted ? ".enc" : ""}`;
}

/** Whether a backup has a reason, so is not one of the timer. */
export function hasReason(name: string): boolean {
  return NAME.exec(name)?.[5] !== undefined;
}

export function isEncrypted(name: string): boolean {
  return NAME.exec(name)?.[6] !== undefined;
}

/** When a backup was taken, by its name; null for other names. */
export function timeOf(name: string): Date | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  const time = new Date(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}

export function noteOf(name: string): string {
  return name + NOTE;
}

/** The name of the backup to which a file belongs: the backup itself, or its note. */
export function backupOf(name: string): string {
  return name.endsWith(NOTE) ? name.slice(0, -NOTE.length) : name;
}

/** The backups of a folder that have their note, the newest first. All others are ignored: they may be half written. */
export function completeBackups(names: string[]): string[] {
  const all = new Set(names);
  const complete = names.filter((name) => timeOf(name) && all.has(noteOf(name)));
  return complete.sort().reverse();
}
