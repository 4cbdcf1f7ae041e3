import type { SubmissionResult } from "@conform-to/react";
import { getTableColumns, sql } from "drizzle-orm";
import { real, type SQLiteTable, sqliteTable } from "drizzle-orm/sqlite-core";
import type { ReactNode } from "react";
import type { z } from "zod";
import { recordColumns } from "#app/db/schema.ts";

/** What a field of a record can hold. */
type Value = string | number | boolean | Date | null;

/** A record of any kind as people see it: what every kind has, and the fields of its own kind. */
export type ShownRecord = {
  id: number;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedAt: Date | null;
  createdAt: Date;
} & { [field: string]: Value };

/** A record of any kind as its owner gets it. */
export type AnyRecord = ShownRecord & { userId: number };

/** A record with the token of its link, which only its owner and their supervisor see. */
export type RecordWithToken<Row extends AnyRecord = AnyRecord> = Row & { verificationToken: string | null };

/** A field of a record for people: text that somebody typed, text of ours, one date or a period, or hours. */
export type FieldValue = { typed: string } | { text: string } | { dates: string[] } | { hours: number };

export interface RecordField<Row extends ShownRecord = ShownRecord> {
  label: string;
  value(record: Row): FieldValue;
}

/** The words of a kind, where its records are listed, asked about, corrected and verified. */
interface KindTexts {
  /** Heading of a record's page. */
  title: string;
  /** Its hours, as in `OJT hours`, and the work that they were spent on. */
  hours: string;
  work: string;
  /** One record in a sentence: `this entry`. */
  thisOne: string;
  missing: string;
  alreadyVerified: string;
  edit: string;
  delete: string;
  deleted: string;
  saved: string;
  restored: string;
  /** On the page that deletes an account: what is counted, and what the verified ones are called if it counts them too. */
  counts: readonly [all: string, verified?: string];
}

/** The words of a kind on the admin's page. */
interface AdminTexts {
  label: string;
  one: string;
  many: string;
  /** One of them and several, behind a number. */
  counted: readonly [string, string];
  /** What the search looks through. */
  hint: string;
  missing: string;
  /** What the dialog says of a record's verification, or of its open link, before the record is deleted. */
  losesVerification: string;
  losesLink: string;
}

/**
 * A kind of record: all that the rest of the app knows of it. Methods rather than functions, so that a kind of `Row`
 * counts as a `Kind`: TypeScript compares the parameters of methods in both directions.
 */
export interface Kind<Row extends ShownRecord = ShownRecord, Values extends object = object> {
  /** As it is stored, and `type` in JSON. */
  readonly name: string;
  /** Under which a record is answered by `/api/verify/{token}`. */
  readonly jsonKey: string;
  readonly table: RecordTable;
  /**
   * The fields that a supervisor verifies, in the order in which they are hashed. It must never change: hashes of old
   * records would no longer match.
   */
  readonly content: readonly string[];
  /** The field by which records are listed, newest first. */
  readonly dateField: string;
  /** What a new or an edited record must be. */
  readonly schema: z.ZodType<Values>;
  /** The page of a technician's records. The verification dialog is `{path}?request={id}`. */
  readonly path: string;
  /** The admin's list of them is `/admin?tab={adminTab}`, one record `{adminPath}/{id}`. */
  readonly adminTab: string;
  readonly adminPath: string;
  readonly texts: KindTexts;
  readonly adminTexts: AdminTexts;
  /** The fields in the order in which people read them. */
  readonly fields: readonly RecordField<Row>[];
  /** The text that an admin's search looks through. */
  search(values: Values): string;
  /** A record in one line. */
  summary(record: Row): string;
  /** The inputs of the edit page, filled with the record or with what was sent. */
  EditFields(props: { record: Row; reply: SubmissionResult<string[]> | null }): ReactNode;
}

const commonTable = sqliteTable("records", recordColumns({ hours: real().notNull() }));

/** A table of records, as far as every kind's table is the same. */
export type RecordTable = typeof commonTable;

/** A kind's table as a `RecordTable`. Drizzle's tables are never assignable to each other, so this needs a cast. */
export function asRecordTable(table: SQLiteTable & { id: unknown; verificationToken: unknown; hours: unknown }) {
  return table as unknown as RecordTable;
}

/** The column of a field, as SQL writes it. */
export function columnOf(kind: Kind, field: string): string {
  const columns: Record<string, { name: string }> = getTableColumns(kind.table);
  const column = columns[field];
  if (!column) throw new Error(`records of the kind ${kind.name} have no field ${field}`);
  return column.name;
}

/** The same as a part of a statement. */
export function columnSql(kind: Kind, field: string) {
  return sql.raw(columnOf(kind, field));
}

/** A record's date, or the first day of its period: `YYYY-MM-DD`. */
export function dateOf(kind: Kind, record: { [field: string]: Value }): string {
  return String(record[kind.dateField]);
}
