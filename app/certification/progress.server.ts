import { type SQL, sql } from "drizzle-orm";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { Method } from "#app/db/enumerations.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { entries } from "#app/records/entry/entry.table.ts";
import { columnSql } from "#app/records/kind.ts";
import { forEachKind, KINDS, type Kind } from "#app/records/kinds.ts";
import { STATUS_OF_ROW, sumOfHours } from "#app/records/queries.server.ts";
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
    months: forEachKind((kind) => monthSums(db, owner, kind, today)),
    longDays: longDaySums(db, owner),
    days: year === undefined ? {} : forEachKind((kind) => daySums(db, owner, kind, year)),
  };
}

/** The targets and the sums, from the rows of `progressQueries`. */
export function progressFromRows(answers: Rows<ReturnType<typeof progressQueries>>): {
  targets: Target[];
  rows: ProgressRows;
} {
  const ofKinds = <Row>(lists: Record<string, Row[]>) =>
    KINDS.flatMap(({ name }) => (lists[name] ?? []).map((row) => ({ kind: name, ...row })));
  return {
    targets: targetsFromRows(answers),
    rows: { months: ofKinds(answers.months), longDays: answers.longDays, days: ofKinds(answers.days) },
  };
}

const SUMS = { records: sql<number>`count(*)`.as("records"), status: STATUS_OF_ROW.as("status") };

/** Whether a record's hours were brought forward from earlier years: 0 for kinds that have no such mark. */
function broughtForwardOf({ marks }: Kind) {
  return marks.includes("broughtForward") ? sql<0 | 1>`brought_forward` : sql<0 | 1>`0`;
}

function monthSums(db: Db, owner: Owner, kind: Kind, today: string) {
  const date = columnSql(kind, kind.dateField);
  const method = kind.content.includes("method") ? sql<Method | null>`method` : sql<Method | null>`NULL`;
  return db
    .select({
      from: sql<string>`span.first`.as("from_day"),
      month: sql<string>`substr(${date}, 1, 7)`.as("month"),
      method: method.as("method_code"),
      broughtForward: broughtForwardOf(kind).as("is_brought_forward"),
      ...SUMS,
      hundredths: sumOfHours(kind.table.hours).as("hundredths"),
    })
    .from(sql`${spans(owner, today)} AS span CROSS JOIN ${kind.table}`)
    .where(sql`user_id = ${owner} AND ${date} >= span.first AND ${date} < span.until`)
    .groupBy(sql`from_day, month, method_code, is_brought_forward, status`);
}

/**
 * All of time, cut at the days that matter to a target of the owner. Each record is in one span, so a join with the spans
 * reads it once.
 */
function spans(owner: Owner, today: string): SQL {
  const days = sql`SELECT '' AS day UNION SELECT ${firstPaceDay(today)} UNION SELECT ${addDays(today, 1)}
    UNION SELECT since FROM ${targets} WHERE user_id = ${owner} AND since IS NOT NULL`;
  // ':' comes after every digit.
  return sql`(SELECT day AS first, lead(day, 1, ':') OVER (ORDER BY day) AS until FROM (${days}))`;
}

/** The entries of days with more hours than ISO 9712 counts, if a target of the owner counts days. */
function longDaySums(db: Db, owner: Owner) {
  // NULL, which owns no rows, if no target counts days: a condition beside the user would not keep SQLite from reading.
  const counting = sql`(SELECT user_id FROM ${targets} WHERE user_id = ${owner}
    AND EXISTS (SELECT 1 FROM ${targetItems} WHERE target_id = ${targets}.id AND unit = 'days') LIMIT 1)`;
  const hundredths = sumOfHours(entries.hours);
  const isCounted = sql`brought_forward = 0 AND (verified OR requested_at IS NOT NULL OR declined_at IS NULL)`;
  const longDays = sql`(SELECT date FROM ${entries} WHERE user_id = ${counting} AND ${isCounted}
    GROUP BY date HAVING ${hundredths} > ${100 * DAY_HOURS_MAX})`;
  return db
    .select({ date: entries.date, method: entries.method, ...SUMS, hundredths: hundredths.as("hundredths") })
    .from(entryKind.table)
    .where(sql`user_id = ${counting} AND brought_forward = 0 AND date IN ${longDays}`)
    .groupBy(sql`date, method, status`);
}

/** The sums of a year's days. `year` has four digits. */
function daySums(db: Db, owner: Owner, kind: Kind, year: number) {
  const date = columnSql(kind, kind.dateField);
  return db
    .select({
      date: sql<string>`${date}`.as("day"),
      ...SUMS,
      hundredths: sumOfHours(kind.table.hours).as("hundredths"),
    })
    .from(kind.table)
    .where(sql`user_id = ${owner} AND ${date} >= ${`${year}-01-01`} AND ${date} < ${`${year + 1}-01-01`}
      AND ${broughtForwardOf(kind)} = 0`)
    .groupBy(sql`day, status`);
}
