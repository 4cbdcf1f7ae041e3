import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { saveRecords } from "#app/records/save.server.ts";
import { entryKind } from "./entry.kind.ts";
import type { NewEntry } from "./entry.schema.ts";
import { type Entry, entries } from "./entry.table.ts";

/** An entry's hours in hundredths, as an integer: SQLite adds integers exactly. */
const hundredths = sql<number>`CAST(round(${entries.hours} * 100) AS INTEGER)`;

/**
 * A user's totals per method: the number of entries, all hours and the verified ones, in hundredths. `where` restricts the
 * entries; without it a covering index answers the query.
 */
export function totalsByMethod(db: Db, owner: Owner, where?: SQL) {
  return db
    .select({
      method: entries.method,
      hundredths: sql<number>`sum(${hundredths})`.as("hundredths"),
      count: sql<number>`count(*)`.as("count"),
      verifiedHundredths: sql<number>`sum(${entries.verified} * ${hundredths})`.as("verified_hundredths"),
    })
    .from(entries)
    .where(and(eq(entries.userId, owner), where))
    .groupBy(entries.method);
}

export type MethodTotal = Awaited<ReturnType<typeof totalsByMethod>>[number];

export interface Saved {
  /** In the order in which they were sent. */
  entries: Entry[];
  /** The dates of these entries that now have more than 24 hours, with their total in hundredths, without hours brought forward. */
  longDays: { date: string; hundredths: number }[];
}

/**
 * Saves all entries or none, in one round trip. `key` identifies the submission (product "Settled").
 * @throws {SubmissionDeletedError} as `saveRecords`
 */
export async function addEntries(
  db: Db,
  userId: number,
  list: NewEntry[],
  key: string | null,
  now: Date,
): Promise<Saved> {
  const days = list.filter(({ broughtForward }) => !broughtForward).map(({ date }) => date);
  const dates = JSON.stringify([...new Set(days)]);
  const longDays = db
    .select({ date: entries.date, hundredths: sql<number>`sum(${hundredths})`.as("hundredths") })
    .from(entries)
    .where(
      and(
        eq(entries.userId, userId),
        eq(entries.broughtForward, false),
        sql`${entries.date} IN (SELECT value FROM json_each(${dates}))`,
      ),
    )
    .groupBy(entries.date)
    .having(sql`sum(${hundredths}) > 2400`);
  const submission = submissionOf(key, list);
  const { saved, more } = await saveRecords(db, userId, entryKind, list, { submission, now }, { longDays });
  return { entries: saved, longDays: more.longDays };
}
