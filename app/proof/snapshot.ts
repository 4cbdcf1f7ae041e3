import { statedNotes } from "#app/audit-log/event-facts.ts";
import { type FormName, METHODS, type Via } from "#app/db/enumerations.ts";
import type { Chosen } from "#app/pdf/form.ts";
import { FORMS, type LeftOut } from "#app/pdf/forms.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import type { Details } from "#app/records/details.ts";
import { type Evidence, sharedText, utcDay } from "#app/records/evidence.ts";
import { toHundredths } from "#app/records/hours.ts";
import { verificationId } from "#app/verification/record.ts";
import type { ExportedRecord, RecordContent } from "./exports.table.ts";

/** A record as an export prints it, with what was noted about it when the export was made. */
export interface PrintedRecord extends Evidence {
  recordId: number;
  /** The name of its kind. */
  type: string;
  /** The fields of its kind, by name. */
  content: RecordContent;
  /** Its details, on a form that prints them. */
  details?: Details;
  supervisor: string;
  /** How the verification came. */
  via: Via;
  /** The domain of the mailbox; null for a link that was not confirmed, and once the supervisor is erased. */
  domain: string | null;
  /** The day on which the mailbox confirmed a verification by link, in UTC, `YYYY-MM-DD`. */
  confirmedOn?: string | null;
  createdAt?: Date | null;
  verifiedAt?: Date | null;
  /*
   * The facts that the paper shows, and that neither its hash nor its seal has: the ID of the verification, the level
   * as which it was worked on a form without details, and, on the check page alone, what the verification shares with
   * the technician's sessions.
   */
  verificationId?: string | null;
  workedAs?: string;
  shared?: string | null;
}

/** The printed content of an export, whatever changed since. */
export interface Snapshot {
  form: FormName;
  madeAt: Date;
  /** The technician's day when it was made, `YYYY-MM-DD`. */
  madeOn: string;
  /** Which verified records it has; null for all. */
  chosen?: Chosen | null;
  /** The part of them that has no column here; null if it has all. */
  leftOut?: LeftOut | null;
  /** The technician's name, or email address without one, and number. */
  name: string;
  employeeNumber: string | null;
  /** In the order of the form. */
  records: PrintedRecord[];
}

/** The hours of the records that have hours and an NDT method, by method, and of all as `total`. */
type Totals = { total: number; [method: string]: number };

export function totalsOf(records: readonly PrintedRecord[]): Totals {
  const sum = (list: readonly PrintedRecord[]) =>
    list.reduce((hundredths, { content }) => hundredths + toHundredths(Number(content.hours ?? 0)), 0) / 100;
  const withHours = records.filter(({ content }) => content.hours !== undefined);
  const byMethod = METHODS.map(
    (method) => [method, withHours.filter(({ content }) => content.method === method)] as const,
  );
  return {
    ...Object.fromEntries(byMethod.flatMap(([method, list]) => (list.length > 0 ? [[method, sum(list)]] : []))),
    total: sum(records),
  };
}

/** The content shown for a record that is gone without a copy, which only a change past the app can cause. */
const GONE = { date: "0001-01-01", endDate: "0001-01-01", location: "", method: "", hours: 0, broughtForward: 0 };

const NO_VERIFICATION = {
  supervisor: null,
  via: null,
  confirmedAt: null,
  createdAt: null,
  verifiedAt: null,
  link: null,
};

const instantOf = (stored: number | null) => (stored === null ? null : new Date(stored));

/** A record from its row, as a form prints it. */
export function printedRecord(form: FormName, { content: kept, stated, ...row }: ExportedRecord): PrintedRecord {
  const { recordId, domain, verifiedFor, dayHundredths, continuity } = row;
  const { types, hasDetails } = FORMS[form];
  const { kind: type, ...stored } = { ...GONE, kind: types[0], ...NO_VERIFICATION, ...kept };
  const { fields = {}, supervisor, via, confirmedAt, createdAt, verifiedAt, link, ...columns } = stored;
  const content = kindNamed(type).fields.flatMap((field): [string, string | number | boolean][] => {
    const value = field.stored === "fields" ? fields[field.name] : columns[field.stored];
    if (isAbsent(value) || field.type === "details") return [];
    if (field.type === "hours" || field.type === "score") return [[field.name, Number(value) / 100]];
    if (field.type === "count") return [[field.name, Number(value)]];
    return [[field.name, field.type === "flag" ? value === 1 : String(value)]];
  });
  return {
    recordId,
    type,
    content: Object.fromEntries(content),
    ...(hasDetails ? { details: detailsOf(fields.details) } : workedAsOf(fields.details)),
    // Both are NULL only for a record that is no longer verified and has no copy.
    supervisor: supervisor ?? "",
    via: via ?? "link",
    domain,
    verifiedFor,
    dayHundredths,
    continuity,
    confirmedOn: confirmedAt === null ? null : utcDay(new Date(confirmedAt)),
    createdAt: instantOf(createdAt),
    verifiedAt: instantOf(verifiedAt),
    ...(stated && statedNotes(stated.supervisor, stated.technician)),
    verificationId: link && verifiedAt !== null ? verificationId(link, new Date(verifiedAt)) : null,
    entered: stated?.entered ?? null,
    shared: stated?.supervisor ? sharedText(stated.supervisor) : null,
  };
}

/** The level as which a record was worked, if its details have one. */
function workedAsOf(stored: unknown): Pick<PrintedRecord, "workedAs"> {
  const { workedAs } = detailsOf(stored);
  return workedAs ? { workedAs } : {};
}

/** The details of a record from its JSON. */
function detailsOf(stored: unknown): Details {
  return typeof stored === "object" && stored !== null ? (stored as Details) : {}; // as they were validated
}

/** A field that a kind gets later is absent from the forms of before: they are hashed as if there was no such field. */
export function isAbsent(value: unknown): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}
