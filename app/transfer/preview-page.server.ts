import type { AppLoadContext } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { groupBy } from "#app/db/client.server.ts";
import { isOfImport } from "#app/db/submission.server.ts";
import { AppError } from "#app/errors.ts";
import { isKeptForOwner } from "#app/records/any-record.server.ts";
import { DAY_MAX } from "#app/records/hours.ts";
import { IS_LIVE } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { LISTED_MAX } from "./import-form.ts";
import { type ImportView, viewOf } from "./import-view.server.ts";
import { chosenRecords, type Reading } from "./preview.ts";
import { meaningOf } from "./read-records.ts";
import { duplicatesOf, findImport, hoursByDay, type ImportRow, NO_IMPORT, readStored } from "./stored-import.server.ts";

/** A preview with what its page alone shows: the records of the duplicates that it lists, and what became of every row. */
export interface PreviewPage extends ImportView {
  duplicated: object[][];
  isReadable: boolean;
  /**
   * The rows with a problem, and with no other one than a word for a method that means nothing yet; the rows that are totals,
   * by their number, and how many are of other people.
   */
  wrong: number;
  unnamed: number;
  totals: number[];
  others: number;
  /** How many words for methods are unknown, and those of them that mean nothing yet. */
  words: number;
  open: number;
  /** The days that have more than 24 hours once it is imported, with those of the log, in hundredths. */
  longDays: { date: string; hundredths: number }[];
}

/** An import that was applied: what it did, and what became of its records. */
export interface AppliedImport {
  id: number;
  kind: string;
  created: number;
  skipped: number;
  verified: number;
  /** How many of its records a supervisor can be asked to verify and is not. */
  askable: number;
}

/**
 * An import's page, in one round trip: its preview, or what it did.
 * @throws {AppError} 404 for an import that is not the user's
 */
export async function findImportPage(
  context: AppLoadContext,
  id: number,
): Promise<{ user: User } & ({ view: PreviewPage; applied: null } | { view: null; applied: AppliedImport })> {
  const { user, found, counts } = await requireUser(context, (owner, db) => ({
    found: findImport(db, owner, id),
    counts: db
      .select({
        verified: sql<number>`coalesce(sum(verified), 0)`.as("verified_count"),
        askable: sql<number>`coalesce(sum(verified = 0 AND requested_at IS NULL AND NOT ${isKeptForOwner()}), 0)`.as(
          "askable",
        ),
      })
      .from(records)
      .where(sql`user_id = ${owner} AND ${isOfImport(id)} AND ${IS_LIVE}`),
  }));
  const [row] = found;
  if (!row) throw new AppError("not_found", NO_IMPORT);
  if (row.created === null || row.skipped === null) return { user, view: previewOf(row), applied: null };
  const { kind, created, skipped } = row;
  const [count = { verified: 0, askable: 0 }] = counts;
  return { user, view: null, applied: { id, kind, created, skipped, ...count } };
}

function longDaysOf(row: ImportRow, reading: Reading): PreviewPage["longDays"] {
  const chosen = chosenRecords(reading.records, duplicatesOf(row, reading), row.skip);
  return Object.entries(hoursByDay(reading.kind, chosen))
    .map(([date, hundredths]) => ({ date, hundredths: hundredths + (row.days[date] ?? 0) }))
    .filter(({ hundredths }) => hundredths > DAY_MAX)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

function previewOf(row: ImportRow): PreviewPage {
  const reading = readStored(row);
  const view = viewOf(row, reading);
  const recordsOf = groupBy(reading.records, ({ row }) => row);
  const duplicated = view.duplicates
    .slice(0, LISTED_MAX)
    .map((row) => (recordsOf.get(row) ?? []).map(({ values }) => values));
  const { isReadable, wrong, unnamed, read, totals, unknownMethods } = reading;
  return {
    ...view,
    duplicated,
    isReadable,
    wrong: wrong - unnamed,
    unnamed,
    totals: totals.map(({ number }) => number),
    others: view.count - totals.length - read.length,
    words: unknownMethods.length,
    longDays: longDaysOf(row, reading),
    open: unknownMethods.filter(({ word }) => !meaningOf(view.values.method, word)).length,
  };
}
