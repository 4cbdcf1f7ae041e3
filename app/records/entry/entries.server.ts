import { and, asc, desc, eq, sql } from "drizzle-orm";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { type EntryRow, entries } from "#app/db/schema.ts";
import { searchText } from "#app/db/search-text.ts";
import { isDeletedSending, SubmissionDeletedError, submissionOf } from "#app/db/submission.server.ts";
import type { Cursor } from "#app/records/cursor.ts";
import type { NewEntry } from "./entry.schema.ts";
import { methodLabel } from "./methods.ts";

/** An OJT entry as its owner sees it: these fields, and never the token of its link. */
export type Entry = Pick<
  EntryRow,
  "id" | "userId" | "date" | "location" | "method" | "hours" | "verified" | "verifiedBy" | "verifiedAt" | "createdAt"
>;

/** The columns of `Entry`. */
export const entryColumns = {
  id: entries.id,
  userId: entries.userId,
  date: entries.date,
  location: entries.location,
  method: entries.method,
  hours: entries.hours,
  verified: entries.verified,
  verifiedBy: entries.verifiedBy,
  verifiedAt: entries.verifiedAt,
  createdAt: entries.createdAt,
};

/** Hundredths of an hour in each row, as an integer: SQLite adds these exactly. */
const hundredths = sql<number>`CAST(round(${entries.hours} * 100) AS INTEGER)`;

/** Somebody's entries, newest first: by date, then by id. */
export function listEntries(db: Db, owner: Owner, { before, limit }: { before?: Cursor | null; limit?: number } = {}) {
  const older = before ? sql`(${entries.date}, ${entries.id}) < (${before.date}, ${before.id})` : undefined;
  return db
    .select(entryColumns)
    .from(entries)
    .where(and(eq(entries.userId, owner), older))
    .orderBy(desc(entries.date), desc(entries.id))
    .limit(limit ?? -1);
}

/** Somebody's verified entries, oldest first, as the form lists them. */
export function listVerifiedEntries(db: Db, owner: Owner) {
  return db
    .select(entryColumns)
    .from(entries)
    .where(and(eq(entries.userId, owner), eq(entries.verified, true)))
    .orderBy(asc(entries.date), asc(entries.id));
}

/** One of somebody's entries, with the token of its link. */
export function findEntry(db: Db, owner: Owner, id: number) {
  return db
    .select({ ...entryColumns, verificationToken: entries.verificationToken })
    .from(entries)
    .where(and(eq(entries.userId, owner), eq(entries.id, id)));
}

/** What an admin's search looks through, of an entry that nobody has verified yet. */
export function entrySearch({ location, method }: NewEntry): string {
  return searchText(location, method, methodLabel(method));
}

/** What somebody has logged with each method: hours in hundredths, and how many entries are verified. */
export function totalsByMethod(db: Db, owner: Owner) {
  return db
    .select({
      method: entries.method,
      hundredths: sql<number>`sum(${hundredths})`.as("hundredths"),
      verifiedCount: sql<number>`sum(${entries.verified})`.as("verified_count"),
    })
    .from(entries)
    .where(eq(entries.userId, owner))
    .groupBy(entries.method);
}

export type MethodTotal = Awaited<ReturnType<typeof totalsByMethod>>[number];

/** What a save came to. */
export interface Saved {
  /** The entries, in the order in which they were sent. */
  entries: Entry[];
  /** The dates among them that now hold more than 24 hours, with the hundredths that they hold. */
  longDays: { date: string; hundredths: number }[];
}

/**
 * Saves entries, all or none, in one round trip. `key` names the sending: the same key with the same entries, sent
 * again, finds what the first sending saved (product "Settled").
 * @throws {SubmissionDeletedError} where the technician has deleted all of that meanwhile, and can still take it back
 */
export async function addEntries(
  db: Db,
  userId: number,
  list: NewEntry[],
  key: string | null,
  now: Date,
): Promise<Saved> {
  const submission = submissionOf(key, list);
  const rows = JSON.stringify(list.map((entry) => ({ ...entry, search: entrySearch(entry) })));
  const dates = JSON.stringify([...new Set(list.map(({ date }) => date))]);
  const ofThisSending = and(eq(entries.userId, userId), eq(entries.submission, submission ?? ""));
  const { inserted, stored, longDays } = await batch(db, {
    // One statement for any number of rows: D1 takes 100 bound values and no more.
    inserted: db
      .insert(entries)
      .select(
        sql`SELECT NULL, ${userId}, value ->> 'date', value ->> 'location', value ->> 'method', value ->> 'hours',
          0, NULL, NULL, NULL, value ->> 'search', ${submission}, ${now.getTime()}
          FROM json_each(${rows}) WHERE NOT EXISTS (SELECT 1 FROM ${entries} WHERE ${ofThisSending})
          AND NOT ${isDeletedSending(userId, "entry", submission)}`,
      )
      .returning(entryColumns),
    stored: db.select(entryColumns).from(entries).where(ofThisSending).orderBy(asc(entries.id)),
    longDays: db
      .select({ date: entries.date, hundredths: sql<number>`sum(${hundredths})`.as("hundredths") })
      .from(entries)
      .where(and(eq(entries.userId, userId), sql`${entries.date} IN (SELECT value FROM json_each(${dates}))`))
      .groupBy(entries.date)
      .having(sql`sum(${hundredths}) > 2400`),
  });
  if (submission && stored.length === 0) throw new SubmissionDeletedError();
  return { entries: submission ? stored : inserted.sort((one, other) => one.id - other.id), longDays };
}
