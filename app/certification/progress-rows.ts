import type { Level, Method, Status } from "#app/db/enumerations.ts";

/**
 * The progress page shows sums of the database, and certificates and tests as they are (progress.server.ts). Hours are integers in hundredths. A record belongs
 * to its date, or to the first day of its period.
 */

interface Sum {
  status: Status;
  records: number;
  hundredths: number;
}

/**
 * The records with the same method and status, of a month of the year that is shown or of all other time. They are split at
 * the days that matter to a target: those from which a target counts, the first of the last 90 days, and tomorrow.
 */
export interface MonthSum extends Sum {
  /** The kind's name, as in JSON. */
  kind: string;
  /** `YYYY-MM`; empty outside the year that is shown. */
  month: string;
  /** The months that have one of them, `YYYY-MM`; the years, `YYYY`, if no target counts months of their kind. */
  months: string[];
  /** Null for kinds without a method. */
  method: Method | null;
  /** Of training, if it has one; of an entry, as what level it was worked. */
  level: Level | null;
  /** Of rope hours, if it is told: `work` or `training`. */
  purpose: string | null;
  /** 1 for hours of earlier years, which were not worked in this month. */
  broughtForward: 0 | 1;
  /** The latest of those days that is not after these records; empty if all of them are. */
  from: string;
  /** The days of the first and of the last of them; null before the last 90 days, where nothing depends on it. */
  first: string | null;
  last: string | null;
}

/** The OJT entries of a day that has more hours than count, by method and status, without those brought forward. */
export interface LongDaySum extends Sum {
  date: string;
  method: Method;
  /** The level worked as. */
  level: Level | null;
}

/** All records of a kind on a day, by status, without hours brought forward. */
export interface DaySum extends Sum {
  kind: string;
  date: string;
}

/** A certificate, an examination or a test that is not issued in the future. */
export interface Issued {
  /** `examination`, or what the certificate or test is of. */
  category: string;
  method: Method | null;
  level: Level | null;
  /** The part of an examination, and its mark out of 100, in hundredths. */
  part: string | null;
  score: number | null;
  /** As it was typed. */
  standard: string | null;
  status: Status;
  issuedOn: string;
  expiresOn: string | null;
}

export interface ProgressRows {
  /** The newest first, of one day the one logged last. */
  issued: Issued[];
  months: MonthSum[];
  /** By date. Empty if no target counts days. */
  longDays: LongDaySum[];
  /** The days of the year that was asked for. */
  days: DaySum[];
}

/** Waiting for a supervisor: `pending` or `requested`. */
export function isWaiting({ status }: { status: Status }): boolean {
  return status === "pending" || status === "requested";
}

/** The day of the first of the records, and of the last; null if they have none. */
export function earliest(rows: readonly Pick<MonthSum, "first">[]): string | null {
  return rows.flatMap(({ first }) => first ?? []).sort()[0] ?? null;
}

export function latest(rows: readonly Pick<MonthSum, "last">[]): string | null {
  return (
    rows
      .flatMap(({ last }) => last ?? [])
      .sort()
      .at(-1) ?? null
  );
}

export function sumOf(rows: readonly { hundredths: number }[]): number {
  return rows.reduce((sum, { hundredths }) => sum + hundredths, 0);
}

export function countOf(rows: readonly { records: number }[]): number {
  return rows.reduce((sum, { records }) => sum + records, 0);
}

/**
 * The sums with the same kind, method, level, purpose, status, mark and day from which they count, whatever their month: a few dozen rows,
 * where a log of many years has thousands.
 */
export function withoutMonths(months: readonly MonthSum[]): MonthSum[] {
  const sums = new Map<string, MonthSum>();
  for (const row of months) {
    const key = [row.kind, row.method, row.level, row.purpose, row.status, row.broughtForward, row.from].join();
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...row, month: "", months: [] });
    else {
      sum.records += row.records;
      [sum.first, sum.last] = [earliest([sum, row]), latest([sum, row])];
      sum.hundredths += row.hundredths;
    }
  }
  return [...sums.values()];
}
