import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import type { z } from "zod";
import type { ListName, Status, Via } from "#app/db/enumerations.ts";
import type { Detail, Details } from "./details.ts";
import type { RecordRow } from "./records.table.ts";

type Value = string | number | boolean | Date | Details | null;

/** A record of any kind: the common fields, and those of its kind. */
export type ShownRecord = {
  id: number;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedAt: Date | null;
  verifiedVia: Via | null;
  /** When the supervisor's mailbox confirmed a verification that came by the link alone. */
  confirmedAt: Date | null;
  status: Status;
  createdAt: Date;
  details: Details;
} & { [field: string]: Value };

/** A record as its owner sees it. */
export type AnyRecord = ShownRecord & { userId: number };

/** A record with the random value of its owner, which is part of its hash and which nobody sees. */
export type RecordWithOwner<Row extends AnyRecord = AnyRecord> = Row & { owner: string };

/**
 * A field's value for display: text that a user typed, text of the app, one date or a period (with a mark that says what
 * is unusual about the record), or hours.
 */
export type FieldValue = { typed: string } | { text: string } | { dates: string[]; mark?: string } | { hours: number };

/** A value as pages list it: under its label, or in a column. */
export interface ShownField<Row extends ShownRecord = ShownRecord> {
  label: string;
  value(record: Row): FieldValue;
}

/**
 * A field of a kind. Its JSON and its description, what an import reads and an export writes, the columns of the database and
 * the record's hash follow from this list.
 */
export interface Field {
  /** In JSON and in forms. */
  readonly name: string;
  /** What its value is: a calendar date, a code of a method, hours, a flag, which is mostly false, or all details. */
  readonly type: "date" | "text" | "method" | "hours" | "flag" | "details";
  readonly stored: Stored;
  /** Of its column in files of others, the surest first, as `plainHeading` (app/transfer/columns.ts) leaves them. */
  readonly headings: readonly string[];
}

/** The field of all details (`Kind.details`). */
export const DETAILS: Field = { name: "details", type: "details", stored: "fields", headings: [] };

/** The headings of columns that mean a place, and hours, in the log of any kind. */
export const LOCATION_HEADINGS = [
  ...["location", "job location", "work location", "job site", "jobsite", "work site", "worksite", "site", "place"],
  ...["work place", "workplace", "place of work", "facility", "plant", "where", "installation", "project", "client"],
  ...["customer", "ort", "lugar", "lieu", "sted", "standort", "einsatzort", "baustelle", "locatie", "plaats"],
  ...[
    "werkplek",
    "chantier",
    "ubicacion",
    "obra",
    "local",
    "localizacao",
    "miejsce",
    "lokalizacja",
    "lokasjon",
    "anlegg",
  ],
];
export const HOURS_HEADINGS = [
  ...["hours", "hrs", "hr", "h", "hours worked", "hrs worked", "work hours", "ojt hours", "rope hours"],
  ...["no of hours", "number of hours", "total hours", "total hrs", "time", "time worked", "duration", "stunden"],
  ...["horas", "heures", "timer", "std", "uren", "aantal uren", "nombre d heures", "godziny", "liczba godzin"],
  "antall timer",
];

/** The texts of a kind on the technician's and the supervisor's pages. */
interface KindTexts {
  title: string;
  /** The name of the page at `path`. */
  log: string;
  /** Completes `{hours} hours`, as in `OJT hours`, and names the work. */
  hours: string;
  work: string;
  /** Refers to one record in a sentence: `this entry`. */
  thisOne: string;
  missing: string;
  alreadyVerified: string;
  edit: string;
  delete: string;
  deleted: string;
  saved: string;
  restored: string;
  /** Terms on the page that deletes an account: for all records, and for the verified ones if they are counted too. */
  counts: readonly [all: string, verified?: string];
}

/** Where a field is stored: in a column of `records`, or in its JSON column `fields` under the field's own name. */
export type Stored = "date" | "endDate" | "location" | "method" | "hours" | "broughtForward" | "fields";

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
 * All that the rest of the app knows about a kind of record. It has methods rather than function properties, so that a
 * `Kind<Row>` is assignable to `Kind`: TypeScript compares the parameters of methods in both directions.
 */
export interface Kind<Row extends ShownRecord = ShownRecord, Values extends object = object> {
  /** The value of `type`, in the database and in JSON. */
  readonly name: string;
  /** Of its list in the export of everything. */
  readonly partName: string;
  /** The property that holds the record in the answer of `/api/verify/{token}`. */
  readonly jsonKey: string;
  /** In `?kind=` of an export or import, and of a form: `entries`. */
  readonly listName: ListName;
  /** What is verified. The last one is `DETAILS`. */
  readonly fields: readonly Field[];
  readonly details: readonly Detail[];
  /** The body of a JSON call, and the same record as it is typed in a form. */
  readonly schema: z.ZodType<Values>;
  readonly formSchema: z.ZodType<Values>;
  /** The page of a technician's records. `{path}?request={id}` opens the verification dialog. */
  readonly path: string;
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
  /** The text that searches look through. */
  search(values: Values): string;
  /** The record in one line. */
  summary(record: Row): ReactNode;
  /** The inputs of the edit page, with the record's values or those that were sent. */
  EditFields(props: { record: Row; reply: SubmissionResult<string[]> | null }): ReactNode;
}

/** The fields of a kind that are true or false, mostly false, and the others besides its details, in the order of `fields`. */
export function flagsOf({ fields }: Kind): string[] {
  return fields.filter(({ type }) => type === "flag").map(({ name }) => name);
}

export function valuesOf({ fields }: Kind): string[] {
  return fields.filter(({ type }) => type !== "flag" && type !== "details").map(({ name }) => name);
}

/** Whether records of a kind have this field. */
export function hasField({ fields }: Kind, field: string): boolean {
  return fields.some(({ name }) => name === field);
}

/** A record's date, or the first day of its period: `YYYY-MM-DD`. */
export function dateOf({ fields }: Kind, record: { [field: string]: Value }): string {
  return String(record[fields.find(({ stored }) => stored === "date")?.name ?? ""]);
}
