import { METHODS, type Via } from "#app/db/enumerations.ts";
import type { Evidence } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import { flagsOf, valuesOf } from "#app/records/kind.ts";
import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import type { RecordContent } from "./exports.table.ts";

/** A record as an export prints it, with what was noted about it when the export was made. */
export interface PrintedRecord extends Evidence {
  recordId: number;
  /** The fields of its kind, by name. */
  content: RecordContent;
  supervisor: string;
  /** How the verification came. */
  via: Via;
  /** Of the mailbox; null for a link, and once the supervisor is erased. */
  domain: string | null;
}

/** What an export prints, whatever changed since. */
export interface Snapshot {
  /** The name of the kind of its records. */
  kind: string;
  madeAt: Date;
  /** The technician's day when it was made, `YYYY-MM-DD`. */
  madeOn: string;
  /** The technician's name, or email address without one, and number. */
  name: string;
  employeeNumber: string | null;
  /** Oldest first. */
  records: PrintedRecord[];
}

/** The hours of the records that have an NDT method, by method, and of all as `total`. */
export type Totals = { total: number; [method: string]: number };

export function totalsOf(records: readonly PrintedRecord[]): Totals {
  const sum = (list: readonly PrintedRecord[]) =>
    list.reduce((hundredths, { content }) => hundredths + toHundredths(Number(content.hours)), 0) / 100;
  const byMethod = METHODS.map(
    (method) => [method, records.filter(({ content }) => content.method === method)] as const,
  );
  return {
    ...Object.fromEntries(byMethod.flatMap(([method, list]) => (list.length > 0 ? [[method, sum(list)]] : []))),
    total: sum(records),
  };
}

/** The fields of a record's kind. */
export function contentOf(kind: Kind, record: ShownRecord): RecordContent {
  return Object.fromEntries(
    [...valuesOf(kind), ...flagsOf(kind)].map((field) => {
      const value = record[field];
      return [field, typeof value === "number" || typeof value === "boolean" ? value : String(value)];
    }),
  );
}
