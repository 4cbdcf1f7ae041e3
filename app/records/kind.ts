import type { ReactNode } from "react";
import type { z } from "zod";
import type { Status, TargetUnit, Via } from "#app/db/enumerations.ts";
import type { SupervisorNeed } from "#app/supervisors/supervisor.schema.ts";
import { CLIENT_HEADINGS, type Detail, type Details } from "./details.ts";
import { toHundredths } from "./hours.ts";
import type { CONTENT, RecordRow } from "./records.table.ts";

type Value = string | number | boolean | Date | Details | null | undefined;

/** A record of any kind: the common fields, and those of its kind. */
export type ShownRecord = {
  id: number;
  /** Missing for a kind without hours. */
  hours?: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedAt: Date | null;
  verifiedVia: Via | null;
  /** When the supervisor's mailbox confirmed a verification that came by the link alone. */
  confirmedAt: Date | null;
  status: Status;
  createdAt: Date;
  /** Missing for a kind without details. */
  details?: Details;
} & { [field: string]: Value };

/** A record as its owner sees it. */
export type AnyRecord = ShownRecord & { userId: number };

/** A record with the random value of its owner, which is part of its hash and which is never shown. */
export type RecordWithOwner<Row extends AnyRecord = AnyRecord> = Row & { owner: string };

/**
 * A field's value for display: text that a user typed, text of the app, one date or a period (with a mark that says what
 * is unusual about the record), or hours.
 */
export type FieldValue = { typed: string } | { text: string } | { dates: string[]; mark?: string } | { hours: number };

/** In the place of a value that a record does not have. */
export const NO_VALUE: FieldValue = { text: "" };

/** A value as pages list it: under its label, or in a column. */
interface ShownField<Row extends ShownRecord = ShownRecord> {
  label: string;
  /** Null or empty for a field that the record does not have. */
  value(record: Row): FieldValue | null | "";
}

/**
 * A field of a kind. Its JSON and its description, what an import reads and an export writes, the columns of the database and
 * the record's hash follow from this list.
 */
export interface Field {
  /** In JSON and in forms. */
  readonly name: string;
  /**
   * The type of its value: a calendar date, the day until which something is valid, text, a code of a method, one of
   * `choices`, hours, a mark out of 100, a whole number, a flag, which is mostly false, or all details.
   */
  readonly type: "date" | "expiry" | "text" | "method" | "choice" | "hours" | "score" | "count" | "flag" | "details";
  readonly stored: Stored;
  /** Whether it can be null. */
  readonly isOptional?: true;
  /** Whether it can change after a verification. It is no part of what is verified, nor of the record's hash. */
  readonly isLater?: true;
  readonly choices?: readonly string[];
  /**
   * Headings by which an import recognises this column, the most certain first, as `plainHeading` (app/transfer/columns.ts)
   * leaves them.
   */
  readonly headings: readonly string[];
}

/** The mark of an entry that stands for hours of earlier years. */
export const BROUGHT_FORWARD = "Previous experience";

/** The field of all details (`Kind.details`). */
export const DETAILS: Field = { name: "details", type: "details", stored: "fields", headings: [] };

/** The headings of columns that mean a place, a method, a period and hours, in the log of any kind. */
export const LOCATION_HEADINGS = [
  ...["location", "job location", "work location", "job site", "jobsite", "work site", "worksite", "site", "place"],
  ...["work place", "workplace", "place of work", "facility", "plant", "where", "installation", "project", "ort"],
  ...["lugar", "lieu", "sted", "standort", "einsatzort", "baustelle", "locatie", "plaats"],
  ...["werkplek", "chantier", "ubicacion", "obra", "local", "localizacao", "miejsce", "lokalizacja", "lokasjon"],
  ...["anlegg", "projekt", "projet", "proyecto", "projeto", "prosjekt", ...CLIENT_HEADINGS],
];
export const HOURS_HEADINGS = [
  ...["hours", "hrs", "hr", "h", "hours worked", "hrs worked", "work hours", "ojt hours", "rope hours"],
  ...["no of hours", "number of hours", "total hours", "total hrs", "time worked", "duration", "stunden"],
  ...["horas", "heures", "timer", "std", "uren", "aantal uren", "nombre d heures", "godziny", "liczba godzin"],
  ...["antall timer", "minutes", "time"], // `Time` last: beside hours it is the time of day
];

export const METHOD_HEADINGS = [
  ...["method", "ndt method", "test method", "testing method", "inspection method", "technique"],
  ...["ndt technique", "inspection technique", "discipline", "method technique", "type of test", "methode"],
  ...["metodo", "metoda", "metode", "verfahren", "prufverfahren", "techniek", "teknikk", "tecnica", "technika"],
  ...["onderzoeksmethode", "ndo methode", "prufmethode", "zfp verfahren"],
  ...["procede", "methode d essai", "metoda badania"],
  ...["metodo de ensayo", "metodo de ensaio", "ndt metode"],
];
export const PERIOD_HEADINGS = {
  start: [
    ...["start date", "date from", "from date", "from", "start", "first day", "begin", "date started", "date"],
    ...["startdatum", "begindatum", "von", "van", "beginn", "debut", "date debut", "du", "inicio", "fecha inicio"],
    ...["desde", "data inicio", "de", "od", "data rozpoczecia", "fra", "startdato"],
  ],
  end: [
    ...["end date", "date to", "to date", "to", "until", "end", "finish", "last day", "date finished"],
    ...["enddatum", "einddatum", "bis", "tot", "ende", "fin", "date fin", "au", "fecha fin", "hasta", "fim"],
    ...["data fim", "ate", "do", "data zakonczenia", "til", "sluttdato"],
  ],
};

/** The texts of a kind on the technician's and the supervisor's pages. */
interface KindTexts {
  title: string;
  /** The name of the page at `path`. */
  log: string;
  /** Names what is recorded before another noun, as in `OJT hours`. */
  hours: string;
  /** Names the work, if its hours are experience. */
  work?: string;
  /** Completes `asks you to confirm`, if it is no work. */
  confirm?: string;
  /** How a warning about two equal records begins, and what is equal besides the day. */
  twice: readonly [subject: string, same: string];
  /** Refers to one record in a sentence: `this entry`. */
  thisOne: string;
  /** The word for the rows of a file. */
  rows: string;
  missing: string;
  alreadyVerified: string;
  /** The page with the form of a new one, its message after an unexpected error, and its toast (spec section 8). */
  new: { title: string; failed: string; saved: { title: string; text?: string } };
  edit: string;
  delete: string;
  deleted: string;
  saved: string;
  restored: string;
  /** Terms on the page that deletes an account: for all records, and for the verified ones if they are counted too. */
  counts: readonly [all: string, verified?: string];
}

/** Where a field is stored: in a column of `records`, or in its JSON column `fields` under the field's own name. */
export type Stored = keyof typeof CONTENT;

/** The columns of `records` that hold what is verified. */
export type Content = Pick<RecordRow, Stored>;

interface AdminTexts {
  label: string;
  one: string;
  many: string;
  /** Singular and plural after a number. */
  counted: readonly [string, string];
  /** Says which fields the search covers. */
  hint: string;
  missing: string;
  /** Shown in the delete dialog of a record that is verified, or that has an open link. */
  losesVerification: string;
  losesLink: string;
}

/**
 * All that the rest of the app uses of a kind of record. It has methods rather than function properties, so that a
 * `Kind<Row>` is assignable to `Kind`: TypeScript compares the parameters of methods in both directions.
 */
export interface Kind<Row extends ShownRecord = ShownRecord, Values extends object = object> {
  /** The value of `type`, in the database and in JSON. */
  readonly name: string;
  /** The name of its list in the export of everything. */
  readonly partName: string;
  /** The property that holds the record in the answer of `/api/verify/{token}`. */
  readonly jsonKey: string;
  /** In `?kind=` of an export or import, and of a form: `entries`. */
  readonly listName: string;
  /** The fields that are verified. The last one is `DETAILS`, if there are some. */
  readonly fields: readonly Field[];
  readonly details: readonly Detail[];
  /** Two records with equal values in these fields are reported as possibly logged twice. */
  readonly identity: readonly string[];
  /** The records that are never sent to a supervisor, by the value of the field stored as `subtype`. */
  readonly unasked?: { readonly subtype: string; readonly message: string };
  /** The units in which a target counts its records. Days need a date for each record, or a course of whole days. */
  readonly targetUnits: readonly TargetUnit[];
  /**
   * The facts required of its supervisor besides a name and an email address. For records of several kinds the one with
   * the most requirements decides.
   */
  readonly supervisorNeeds: readonly SupervisorNeed[];
  /** The body of a JSON call, and the same record as it is typed in a form. */
  readonly schema: z.ZodType<Values>;
  readonly formSchema: z.ZodType<Values>;
  /** The page of a technician's records. `{path}?request={id}` opens the verification dialog. */
  readonly path: string;
  /** The tab that its pages belong to. */
  readonly tab: string;
  /** The admin's list is `/admin?tab={adminTab}`, the page of one record `{adminPath}/{id}`. */
  readonly adminTab: string;
  readonly adminPath: string;
  readonly texts: KindTexts;
  readonly adminTexts: AdminTexts;
  /** The fields as pages list them. The first says when it was. */
  readonly shown: readonly ShownField<Row>[];
  /** The groups of which sums are shown, in their order, and the one that a record belongs to. */
  readonly groups: readonly string[];
  groupOf(record: Row): string;
  /** On the plate beside a record in a list, such as its method. */
  plate(record: Row): string | null;
  /** The noun for it, after its hours if it has some: `OJT hours`, `near vision test`. */
  noun(record: Row): string;
  /** The statement that its supervisor makes by pressing the button: completes `you state that`. */
  stated(record: Row): string;
  /** The text that searches look through: what was typed. Choices, such as a method, are searched in their columns (search.server.ts). */
  search(values: Values): string;
  /** The record in one line. */
  summary(record: Row): ReactNode;
}

/** The statement of a supervisor of work (`Kind.stated`). */
export const WORK_STATED = "you supervised this work or are authorised to verify it";

/** A choice as people read it: `near_vision` is `Near vision`. */
export function choiceLabel(choice: string): string {
  const words = choice.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The standards and schemes that write `Level 2`, where SNT-TC-1A and CP-189 write `Level II`. */
const IN_DIGITS = /9712|PCN|CSWIP|NAS ?410|4179|IRATA|SPRAT/i;

/** A level as its standard writes it. */
export function levelText(level: string, standard: string | null): string {
  return IN_DIGITS.test(standard ?? "") ? level.replace(/I+$/, ({ length }) => String(length)) : level;
}

/** The values of a record as pages list them, without those that it does not have. */
export function shownValues({ shown }: Kind, record: ShownRecord): { label: string; value: FieldValue }[] {
  return shown.flatMap((field) => {
    const value = field.value(record);
    return value ? [{ label: field.label, value }] : [];
  });
}

/** A record's hours in hundredths; null for a kind without hours. */
export function hundredthsOf({ hours }: Pick<ShownRecord, "hours">): number | null {
  return hours === undefined ? null : toHundredths(hours);
}

/** Whether the hours of a kind are experience, which targets count. */
export function isExperience({ texts }: Kind): boolean {
  return texts.work !== undefined;
}

/** Whether the hours of a kind are experience in an NDT method. */
export function hasMethods(kind: Kind): boolean {
  return isExperience(kind) && hasField(kind, "method");
}

/** Whether its hours are of courses: a target counts them apart from experience. */
export function isCourse(kind: Kind): boolean {
  return hasField(kind, "hours") && !isExperience(kind);
}

/** Whether each record is of one day. */
export function isOfOneDay({ fields }: Kind): boolean {
  return fields.every(({ stored }) => stored !== "endDate");
}

/**
 * Returns the facts required of the supervisor of records of these kinds: the kind with the most requirements decides.
 */
export function supervisorNeedsOf(kinds: readonly Kind[]): readonly SupervisorNeed[] {
  return kinds.reduce<readonly SupervisorNeed[]>(
    (most, { supervisorNeeds }) => (supervisorNeeds.length > most.length ? supervisorNeeds : most),
    [],
  );
}

/** Whether a supervisor can be asked about a record. */
export function isAskable({ fields, unasked }: Kind, record: { [field: string]: unknown }): boolean {
  return !unasked || record[fields.find(({ stored }) => stored === "subtype")?.name ?? ""] !== unasked.subtype;
}

/** The fields of a kind that are true or false, in the order of `fields`. */
export function flagsOf({ fields }: Kind): string[] {
  return fields.filter(({ type }) => type === "flag").map(({ name }) => name);
}

/** The other fields of a kind, without its details. */
export function valuesOf({ fields }: Kind): string[] {
  return fields.filter(({ type }) => type !== "flag" && type !== "details").map(({ name }) => name);
}

/** Whether records of a kind have this field. */
export function hasField({ fields }: Kind, field: string): boolean {
  return fields.some(({ name }) => name === field);
}

/** Whether records of a kind can have this detail. */
export function hasDetail({ details }: Kind, detail: string): boolean {
  return details.some(({ name }) => name === detail);
}

/** A record's date, or the first day of its period: `YYYY-MM-DD`. */
export function dateOf({ fields }: Kind, record: { [field: string]: Value }): string {
  return String(record[fields.find(({ stored }) => stored === "date")?.name ?? ""]);
}

/** The first and the last day of a period, which is one for a period of one day. */
export function periodOf({ startDate, endDate }: { startDate: string; endDate: string }): FieldValue {
  return { dates: [...new Set([startDate, endDate])] };
}

/** UTC+14, where each date begins first. */
const EARLIEST_ZONE_MS = 14 * 60 * 60 * 1000;

/** A record's date, or the last day of its period. */
export function lastDayOf(kind: Kind, record: { [field: string]: Value }): string {
  const end = kind.fields.find(({ type, stored }) => type === "date" && stored === "endDate");
  return String((end && record[end.name]) || dateOf(kind, record));
}

/** Whether the last day of a record has begun anywhere on earth: before that it cannot be verified. */
export function hasBegun(kind: Kind, record: { [field: string]: Value }, now: Date): boolean {
  return lastDayOf(kind, record) <= new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10);
}

/** Returns the path of the page on which technicians see their record. */
export function recordPath(kind: Kind, id: number): string {
  return `${kind.path}/record/${id}`;
}

/** The part of a log's page that shows its records: where a filter and a link to another page lead. */
export const LOG_ANCHOR = "#log";

/** The text of a link to the records that can be restored. */
export const SHOW_DELETED = "Show what you deleted";

export function logHref(path: string, params: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return query ? `${path}?${query}` : path;
}

/** A number of records of any kind, in words. */
export function countRecords(n: number): string {
  return n === 1 ? "1 record" : `${n} records`;
}
