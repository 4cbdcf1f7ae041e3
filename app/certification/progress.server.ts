import { type SQL, sql } from "drizzle-orm";
import { addDays } from "#app/calendar-date.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { Level, Method, Status } from "#app/db/enumerations.ts";
import { EXPERIENCE_KINDS } from "#app/records/all-kinds.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { IS_LIVE, isOwn, STATUS_OF_ROW, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { DAY_HOURS_MAX } from "./amounts.ts";
import { firstPaceDay } from "./progress.ts";
import { NEVER, type ProgressRows } from "./progress-rows.ts";
import { WITHIN_YEARS_MAX } from "./target.schema.ts";
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
    months: monthSums(db, owner, { today, year }),
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

function monthSums(db: Db, owner: Owner, { today, year }: ProgressQuery) {
  const countsMonths = sql`kind IN (SELECT record_kind FROM ${targetItems}
    WHERE target_id IN (SELECT id FROM ${targets} WHERE user_id = ${owner}) AND unit = 'months')`;
  const isShown = year === undefined ? sql`0` : sql`substr(date, 1, 4) = ${String(year).padStart(4, "0")}`;
  return db
    .select({
      kind: sql<string>`kind`.as("record_kind"),
      from: sql<string>`span.first`.as("from_day"),
      month: sql<string>`iif(${isShown}, substr(date, 1, 7), '')`.as("month"),
      months: sql`json_group_array(DISTINCT substr(date, 1, iif(${countsMonths}, 7, 4)))`
        .mapWith((json: string): string[] => JSON.parse(json))
        .as("month_list"),
      method: sql<Method | null>`method`.as("method_code"),
      level: sql<Level | null>`level`.as("level_code"),
      purpose: sql<string | null>`subtype`.as("purpose_code"),
      broughtForward: sql<0 | 1>`brought_forward`.as("is_brought_forward"),
      first: sql<string | null>`iif(span.first >= ${firstPaceDay(today)}, min(date), NULL)`.as("first_day"),
      last: sql<string | null>`iif(span.first >= ${firstPaceDay(today)}, max(date), NULL)`.as("last_day"),
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

/**
 * Of so many certificates, and of so many examinations, those that were issued last, the standard is read as it was typed. The
 * others count as records without one: a log can have 20,000 standards, and nobody has a thousand certificates.
 */
const STANDARDS_READ = 1_000;

/**
 * The certificates and tests of a user with `values` of each, its `status_code` and its `standard_text`, which is NULL for
 * all if no target asks for a standard.
 */
function issuedRecords(owner: Owner, today: string, where: SQL, values: SQL): SQL {
  const own = sql`(SELECT id FROM ${targets} WHERE user_id = ${owner})`;
  const asksForStandard = sql`EXISTS (SELECT 1 FROM ${targetItems} WHERE target_id IN ${own} AND standard IS NOT NULL)`;
  // The window keeps SQLite from reading the values of a record again for each sum.
  return sql`(SELECT ${values}, ${STATUS_OF_ROW} AS status_code,
      iif(row_number() OVER (ORDER BY date DESC, id DESC) <= ${STANDARDS_READ} AND ${asksForStandard}, standard, NULL) AS standard_text
    FROM ${records} INDEXED BY records_by_end WHERE ${isIssued(owner, today)} AND ${where})`;
}

/** A day as a number (`TermSum.ends`). */
function dayNumber(column: SQL): SQL {
  return sql`CAST(replace(${column}, '-', '') AS INTEGER)`;
}

/** The years within which certificates can count; 0 stands for all of time. */
const YEARS = Array.from({ length: WITHIN_YEARS_MAX + 1 }, (_, years) => years);

function termSums(db: Db, owner: Owner, today: string) {
  const issued = issuedRecords(
    owner,
    today,
    sql`subtype NOT IN ('examination', 'other')`,
    sql`subtype AS category_code, method AS method_code, level AS level_code, date AS issued,
      ${dayNumber(sql`date`)} AS day_number,
      coalesce(${dayNumber(sql`end_date`)}, ${sql.raw(String(NEVER))}) AS end_number`,
  );
  // All years in one pass: the targets may ask for each of them.
  const ends = YEARS.map((years) =>
    years === 0 ? sql`max(end_number)` : sql`max(min(end_number, day_number + ${sql.raw(`${years}0000`)}))`,
  );
  return db
    .select({
      category: sql<string>`category_code`.as("category_code"),
      method: sql<Method | null>`method_code`.as("method_code"),
      level: sql<Level | null>`level_code`.as("level_code"),
      standard: sql<string | null>`standard_text`.as("standard_text"),
      status: sql<Status>`status_code`.as("status_code"),
      records: SUMS.records,
      ends: sql`json_array(${sql.join(ends, sql`, `)})`
        .mapWith((json: string): number[] => JSON.parse(json))
        .as("ends"),
      issuedOn: sql<string>`min(issued)`.as("issued_on"),
    })
    .from(issued)
    .groupBy(sql`category_code, method_code, level_code, standard_text, status_code`);
}

function latestMarks(db: Db, owner: Owner, today: string) {
  const issued = issuedRecords(
    owner,
    today,
    sql`subtype = 'examination' AND part IS NOT NULL AND score IS NOT NULL`,
    sql`method AS method_code, level AS level_code, part AS part_code, score AS mark, date || printf('%016d', id) AS logged`,
  );
  return db
    .select({
      method: sql<Method | null>`method_code`.as("method_code"),
      level: sql<Level | null>`level_code`.as("level_code"),
      part: sql<string>`part_code`.as("part_code"),
      standard: sql<string | null>`standard_text`.as("standard_text"),
      status: sql<Status>`status_code`.as("status_code"),
      records: SUMS.records,
      // SQLite takes it from the row that has the greatest value of the next column.
      score: sql<number>`mark`.as("mark"),
      order: sql<string>`max(logged)`.as("latest"),
    })
    .from(issued)
    .groupBy(sql`method_code, level_code, part_code, standard_text, status_code`);
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
