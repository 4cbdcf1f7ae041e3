import { METHODS, type Via } from "#app/db/enumerations.ts";
import { dayOfConfirmation, type Evidence } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import { flagsOf, valuesOf } from "#app/records/kind.ts";
import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import type { ExportedRecord, RecordContent } from "./exports.table.ts";

/** A record as an export prints it, with what was noted about it when the export was made. */
export interface PrintedRecord extends Evidence {
  recordId: number;
  /** The fields of its kind, by name. */
  content: RecordContent;
  supervisor: string;
  /** How the verification came. */
  via: Via;
  /** Of the mailbox; null for a link that was not confirmed, and once the supervisor is erased. */
  domain: string | null;
  /** The day on which the mailbox confirmed a verification by link, in UTC, `YYYY-MM-DD`. */
  confirmedOn?: string | null;
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

/** What stands for a record that is gone without a copy, which only a change past the app can cause. */
const GONE = { date: "0001-01-01", endDate: "0001-01-01", location: "", method: "", hours: 0, broughtForward: 0 };

const NO_VERIFICATION = { supervisor: null, via: null, confirmedAt: null };

/** A record of an open export from its row, as it is printed. `domains` are those of the export. */
export function printedRecord(
  kind: Kind,
  domains: readonly (string | null)[],
  { content: kept, ...row }: ExportedRecord,
): PrintedRecord {
  const { recordId, verifiedFor, dayHundredths } = row;
  const domain = row.domain === null ? null : (domains[row.domain] ?? null);
  const { fields = {}, supervisor, via, confirmedAt, ...columns } = { ...GONE, ...NO_VERIFICATION, ...kept };
  const content = kind.fields.flatMap(({ name, type, stored }): [string, string | number | boolean][] => {
    const value = stored === "fields" ? fields[name] : columns[stored];
    if (isAbsent(value) || type === "details") return []; // no form prints them
    if (type === "hours") return [[name, Number(value) / 100]];
    return [[name, type === "flag" ? value === 1 : String(value)]];
  });
  return {
    recordId,
    content: Object.fromEntries(content),
    // Both are NULL only of a record that is not verified any more and has no copy.
    supervisor: supervisor ?? "",
    via: via ?? "link",
    domain,
    verifiedFor,
    dayHundredths,
    confirmedOn: confirmedAt === null ? null : dayOfConfirmation(new Date(confirmedAt)),
  };
}

/** The fields of a record's kind that it has. */
export function contentOf(kind: Kind, record: ShownRecord): RecordContent {
  return Object.fromEntries(
    [...valuesOf(kind), ...flagsOf(kind)].flatMap((field): [string, string | number | boolean][] => {
      const value = record[field];
      if (isAbsent(value)) return [];
      return [[field, typeof value === "number" || typeof value === "boolean" ? value : String(value)]];
    }),
  );
}

/** A field that a kind gets later is absent from the forms of before: they are hashed as if there was no such field. */
function isAbsent(value: unknown): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}
