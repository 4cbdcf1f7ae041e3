import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { isOwn, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { saveRecords } from "#app/records/save.server.ts";
import { entryKind } from "./entry.kind.ts";
import type { Entry, NewEntry } from "./entry.schema.ts";

/**
 * A user's totals per method: the number of entries, all hours and the verified ones, in hundredths. `where` restricts the
 * entries; without it a covering index answers the query.
 */
export function totalsByMethod(db: Db, owner: Owner, where?: SQL) {
  return db
    .select({
      method: records.method,
      hundredths: SUM_OF_HOURS.as("hundredths"),
      count: sql<number>`count(*)`.as("count"),
      verifiedHundredths: sql<number>`sum(verified * hours)`.as("verified_hundredths"),
    })
    .from(records)
    .where(and(isOwn(owner, entryKind), where))
    .groupBy(records.method);
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
    .select({ date: records.date, hundredths: SUM_OF_HOURS.as("hundredths") })
    .from(records)
    .where(sql`${isOwn(userId, entryKind)} AND brought_forward = 0 AND date IN (SELECT value FROM json_each(${dates}))`)
    .groupBy(records.date)
    .having(sql`sum(hours) > 2400`);
  const submission = submissionOf(key, list);
  const { saved, more } = await saveRecords(db, userId, entryKind, list, { submission, now }, { longDays });
  return { entries: saved, longDays: more.longDays };
}
