import { type SQL, sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { Level, Method } from "#app/db/enumerations.ts";
import { EXPERIENCE_KINDS } from "#app/records/all-kinds.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { IS_LIVE, isOwn, STATUS_OF_ROW, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { addDays } from "#app/ui/calendar-date.ts";
import { DAY_HOURS_MAX } from "./amounts.ts";
import { firstPaceDay } from "./progress.ts";
import type { ProgressRows } from "./progress-rows.ts";
import { targetQueries, targetsFromRows } from "./target-queries.server.ts";
import { type Target, targetItems, targets } from "./targets.table.ts";

interface ProgressQuery {
  /** The technician's date. */
  today: string;
  /** The year whose days are added up, for the calendar. */
  year?: number;
}

/**
 * The queries of a technician's progress: their targets, and the sums that `progressOf` and the pictures are made of. Every
 * sum is read from a covering index. Read the answers with `progressFromRows`.
 */
export function progressQueries(db: Db, owner: Owner, { today, year }: ProgressQuery) {
  return {
    ...targetQueries(db, owner),
    months: monthSums(db, owner, today),
    longDays: longDaySums(db, owner),
    terms: termSums(db, owner, today),
    marks: latestMarks(db, owner, today),
    ...(year !== undefined && { days: daySums(db, owner, year) }),
  };
}

/** The targets and the sums, from the rows of `progressQueries`. */
export function progressFromRows(answers: Rows<ReturnType<typeof progressQueries>>): {
  targets: Target[];
  rows: ProgressRows;
} {
  const { months, longDays, terms, marks, days = [] } = answers;
  return { targets: targetsFromRows(answers), rows: { months, longDays, terms, marks, days } };
}

const SUMS = {
  records: sql<number>`count(*)`.as("record_count"),
  status: STATUS_OF_ROW.as("status"),
  hundredths: SUM_OF_HOURS.as("hundredths"),
};

const KIND_NAMES = sql.join(
  EXPERIENCE_KINDS.map(({ name }) => sql`${name}`),
  sql`, `,
);

/**
 * The condition of records of the kinds that targets count, the deleted ones left out. It names the kinds, so that with the user before it the
 * index finds the dates of each kind in their order.
 */
export const IS_OF_ANY_KIND = sql`kind IN (${KIND_NAMES}) AND ${IS_LIVE}`;

function monthSums(db: Db, owner: Owner, today: string) {
  return db
    .select({
      kind: sql<string>`kind`.as("record_kind"),
      from: sql<string>`span.first`.as("from_day"),
      month: sql<string>`substr(date, 1, 7)`.as("month"),
      method: sql<Method | null>`method`.as("method_code"),
      level: sql<Level | null>`level`.as("level_code"),
      purpose: sql<string | null>`subtype`.as("purpose_code"),
      broughtForward: sql<0 | 1>`brought_forward`.as("is_brought_forward"),
      ...SUMS,
    })
    .from(sql`${spans(owner, today)} AS span CROSS JOIN ${records}`)
    .where(
      sql`user_id = ${owner} AND kind IN (${KIND_NAMES}, ${trainingKind.name}) AND ${IS_LIVE}
        AND date >= span.first AND date < span.until`,
    )
    .groupBy(sql`kind, from_day, month, method_code, level_code, purpose_code, is_brought_forward, status`);
}

/**
 * All of time, cut at the days that matter to a target of the owner. Each record is in one span, so a join with the spans
 * reads it once.
 */
function spans(owner: Owner, today: string): SQL {
  const days = sql`SELECT '' AS day UNION SELECT ${firstPaceDay(today)} UNION SELECT ${addDays(today, 1)}
    UNION SELECT since FROM ${targets} WHERE user_id = ${owner} AND since IS NOT NULL
    UNION SELECT date(${today}, '-' || within_years || ' years') FROM ${withinYearsOf(owner)}`;
  // ':' comes after every digit.
  return sql`(SELECT day AS first, lead(day, 1, ':') OVER (ORDER BY day) AS until FROM (${days}))`;
}

/** The years of the items that ask for a date within some years. `date()` moves 29 February to 1 March, as `yearsBefore`. */
function withinYearsOf(owner: Owner): SQL {
  return sql`(SELECT DISTINCT within_years FROM ${targetItems}
    WHERE target_id IN (SELECT id FROM ${targets} WHERE user_id = ${owner}) AND within_years IS NOT NULL)`;
}

/** The condition of the certificates and tests of a user that are not issued in the future. One index has all that is read of them. */
function isIssued(owner: Owner, today: string): SQL {
  return sql`${isOwn(owner, certificateKind)} AND subtype IS NOT NULL AND date <= ${today}`;
}

/** A test of 29 February counts for a year until 28 February: the last day of the month, if it is the earlier one. */
function termSums(db: Db, owner: Owner, today: string) {
  const later = sql`'+' || span.years || ' years'`;
  const ends = sql`iif(span.years = 0, coalesce(end_date, ':'), coalesce(min(coalesce(end_date, ':'),
    date(date, ${later}), date(substr(date, 1, 8) || '01', ${later}, '+1 month', '-1 day')), ':'))`;
  return db
    .select({
      years: sql<number>`span.years`.as("term_years"),
      category: sql<string>`subtype`.as("category_code"),
      method: sql<Method | null>`method`.as("method_code"),
      level: sql<Level | null>`level`.as("level_code"),
      standard: sql<string | null>`standard`.as("standard_text"),
      status: STATUS_OF_ROW.as("status"),
      records: SUMS.records,
      ends: sql<string>`max(${ends})`.as("ends"),
      issuedOn: sql<string>`min(date)`.as("issued_on"),
    })
    .from(
      sql`(SELECT 0 AS years UNION ALL SELECT within_years FROM ${withinYearsOf(owner)}) AS span
        CROSS JOIN ${records} INDEXED BY records_by_end`,
    )
    .where(sql`${isIssued(owner, today)} AND subtype <> 'examination'`)
    .groupBy(sql`term_years, category_code, method_code, level_code, standard_text, status`);
}

function latestMarks(db: Db, owner: Owner, today: string) {
  return db
    .select({
      method: sql<Method | null>`method`.as("method_code"),
      level: sql<Level | null>`level`.as("level_code"),
      part: sql<string>`part`.as("part_code"),
      standard: sql<string | null>`standard`.as("standard_text"),
      status: STATUS_OF_ROW.as("status"),
      records: SUMS.records,
      // SQLite takes it from the row that has the greatest value of the next column.
      score: sql<number>`score`.as("mark"),
      order: sql<string>`max(date || printf('%016d', id))`.as("latest"),
    })
    .from(sql`${records} INDEXED BY records_by_end`)
    .where(sql`${isIssued(owner, today)} AND subtype = 'examination' AND part IS NOT NULL AND score IS NOT NULL`)
    .groupBy(sql`method_code, level_code, part_code, standard_text, status`);
}

/** The entries of days with more hours than ISO 9712 counts, if a target of the owner counts days. */
function longDaySums(db: Db, owner: Owner) {
  // NULL, which owns no rows, if no target counts days: a condition beside the user would not keep SQLite from reading.
  const counting = sql<number>`(SELECT user_id FROM ${targets} WHERE user_id = ${owner}
    AND EXISTS (SELECT 1 FROM ${targetItems} WHERE target_id = ${targets}.id AND unit = 'days' AND record_kind = 'entry') LIMIT 1)`;
  const ofCounting = isOwn(counting, entryKind);
  const isCounted = sql`brought_forward = 0 AND (verified OR requested_at IS NOT NULL OR declined_at IS NULL)`;
  const longDays = sql`(SELECT date FROM ${records} WHERE ${ofCounting} AND ${isCounted}
    GROUP BY date HAVING ${SUM_OF_HOURS} > ${100 * DAY_HOURS_MAX})`;
  return db
    .select({
      date: records.date,
      method: sql<Method>`method`.as("method_code"),
      level: sql<Level | null>`level`.as("level_code"),
      ...SUMS,
    })
    .from(records)
    .where(sql`${ofCounting} AND brought_forward = 0 AND date IN ${longDays}`)
    .groupBy(sql`date, method, level, status`)
    .orderBy(sql`date`);
}

/** The sums of a year's days. `year` has four digits. */
function daySums(db: Db, owner: Owner, year: number) {
  return db
    .select({ kind: records.kind, date: records.date, ...SUMS })
    .from(records)
    .where(sql`user_id = ${owner} AND ${IS_OF_ANY_KIND} AND date >= ${`${year}-01-01`} AND date < ${`${year + 1}-01-01`}
      AND brought_forward = 0`)
    .groupBy(sql`kind, date, status`);
}
