import type { MessageFailure, MessageKind } from "#app/db/enumerations.ts";
import type { StoredBackup } from "#app/server/env.ts";

/** The state of the installation, as GET /api/admin/system answers it. */
export interface System {
  version: string;
  /** In bytes. */
  database: { bytes: number; limit: number };
  backups: StoredBackup[];
  /** `stopped`: how many addresses stopped all emails, up to 1,000. */
  mail: { waiting: number; failed: FailedEmail[]; stopped: number };
  timer: { lastRun: Date | null };
  /** The last check of the audit log that was completed. */
  logCheck: { at: Date; events: number; faults: number } | null;
  /** The names of what is not configured, or not usable. */
  missing: string[];
}

/** An email that will not be tried again by itself. No part of its text is kept. */
export interface FailedEmail {
  id: number;
  kind: MessageKind;
  /** Null if the address is erased. */
  to: string | null;
  reason: MessageFailure | "unknown";
  at: Date;
}

export const REASONS: Record<FailedEmail["reason"], string> = {
  not_set_up: "Email was not configured.",
  refused: "The mail service refused it.",
  gave_up: "It was tried until it was too late.",
  unknown: "The mail service gave no answer: it may have arrived.",
};

/** How full the database is: `percent` is rounded down; `level` is the last of 80, 90 and 100 % that it has reached. */
export function fullness({ bytes, limit }: System["database"]): { percent: number; level: 0 | 80 | 90 | 100 } {
  const percent = Math.floor((bytes / limit) * 100);
  return { percent, level: percent >= 100 ? 100 : percent >= 90 ? 90 : percent >= 80 ? 80 : 0 };
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A size in decimal units, as D1's limit is: `412 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[power]}`;
}

const MINUTE_MS = 60_000;

/** Whether the timer, which runs each minute, has missed some runs. */
export function isTimerLate({ lastRun }: System["timer"], now: Date): boolean {
  return lastRun === null || now.getTime() - lastRun.getTime() > 5 * MINUTE_MS;
}

/** Whether the newest backup is older than a night and a morning. Time Travel tells no time, and is always there. */
export function isBackupLate(backups: StoredBackup[], now: Date): boolean {
  if (backups.some(({ place }) => place === "time_travel")) return false;
  const newest = Math.max(0, ...backups.map(({ at }) => at?.getTime() ?? 0));
  return now.getTime() - newest > 30 * 60 * MINUTE_MS;
}
