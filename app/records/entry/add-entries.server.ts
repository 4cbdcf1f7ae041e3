import { sql } from "drizzle-orm";
import { formatDate } from "#app/calendar-date.ts";
import type { Db } from "#app/db/client.server.ts";
import { submissionOf } from "#app/db/submission.server.ts";
import { DAY_MAX, formatHours, isLongAgo } from "#app/records/hours.ts";
import { LOG_ANCHOR, logHref, recordPath } from "#app/records/kind.ts";
import { type Duplicate, type Holder, saveRecords, WARNED_MAX } from "#app/records/save.server.ts";
import type { Warning } from "#app/server/flash.ts";
import { type LongDay, longDays } from "./entries.server.ts";
import { type Entry, entryKind, type NewEntry } from "./entry.kind.ts";

interface Saved {
  /** In the order in which they were sent. */
  entries: Entry[];
  /** The dates of these entries that are long days now. */
  longDays: LongDay[];
  duplicates: Duplicate[];
}

/**
 * Saves all entries or none, in one round trip. `key` identifies the submission.
 * @throws {SubmissionDeletedError} as `saveRecords`
 */
export async function addEntries(
  db: Db,
  account: Holder,
  list: NewEntry[],
  key: string | null,
  now: Date,
): Promise<Saved> {
  const days = list.filter(({ broughtForward }) => !broughtForward).map(({ date }) => date);
  const dates = JSON.stringify([...new Set(days)]);
  const submission = submissionOf(key, list);
  const { saved, duplicates, more } = await saveRecords(
    db,
    account,
    entryKind,
    list,
    { submission, now },
    { longDays: longDays(db, account.id, sql`date IN (SELECT value FROM json_each(${dates}))`) },
  );
  return { entries: saved, longDays: more.longDays.filter(({ hundredths }) => hundredths > DAY_MAX), duplicates };
}

/** The warnings about the dates of entries that were saved. `today` is the user's current date. */
export function warningsFor({ entries, longDays }: Pick<Saved, "entries" | "longDays">, today: string): Warning[] {
  const dated = (isOdd: (date: string) => boolean, text: string) =>
    [
      ...new Map(
        entries.filter(({ date, broughtForward }) => !broughtForward && isOdd(date)).map(({ date, id }) => [date, id]),
      ),
    ]
      .sort()
      .slice(0, WARNED_MAX)
      .map(([date, id]) => ({
        text: `${formatDate(date)} ${text}.`,
        href: recordPath(entryKind, id),
        link: "See the record",
      }));
  return [
    ...longDays.slice(0, WARNED_MAX).map(({ date, hundredths }) => ({
      text: `${formatDate(date)} now has ${formatHours(hundredths)} hours. Is that right?`,
      href: logHref(entryKind.path, { from: date, to: date }) + LOG_ANCHOR,
      link: "See that day",
    })),
    ...dated((date) => date > today, "is in the future"),
    ...dated((date) => isLongAgo(date, today), "is more than 10 years ago"),
  ];
}
