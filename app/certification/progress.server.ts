import type { AppLoadContext } from "@remix-run/cloudflare";
import { desc, type SQL, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { addDays, toCalendarDate } from "#app/calendar-date.ts";
import type { Thin } from "#app/certification/renewal.server.tsx";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import type { Level, Method } from "#app/db/enumerations.ts";
import { EXPERIENCE_KINDS } from "#app/records/all-kinds.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { IS_LIVE, isOwn, STATUS_OF_ROW, SUM_OF_HOURS } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { DAY_HOURS_MAX } from "./amounts.ts";
import { targetQueries, targetsFromRows } from "./own-targets.server.ts";
import { firstPaceDay, progressOf, type TargetProgress } from "./progress.ts";
import { type ProgressYear, yearFrom, yearsOf } from "./progress-links.ts";
import type { ProgressRows } from "./progress-rows.ts";
import { thinFromRows, thinQueries } from "./renewal.server.tsx";
import { type Target, targetItems, targets } from "./targets.table.ts";

interface ProgressQuery {
  /** The technician's date. */
  today: string;
  /** The year whose days are added up, for the calendar. */
  year?: number;
}

/**
 * The queries of a technician's progress: their targets, and what `progressOf` and the pictures are made of. Every sum is read
 * from a covering index. Read the answers with `progressFromRows`.
 */
export function progressQueries(db: Db, owner: Owner, { today, year }: ProgressQuery) {
  return {
    ...targetQueries(db, owner),
    months: monthSums(db, owner, { today, year }),
    longDays: longDaySums(db, owner),
    issued: issuedRecords(db, owner, today),
    ...(year !== undefined && { days: daySums(db, owner, year) }),
  };
}

/** The targets and their rows, from the answers of `progressQueries`. */
export function progressFromRows(answers: Rows<ReturnType<typeof progressQueries>>): {
  targets: Target[];
  rows: ProgressRows;
} {
  const { months, longDays, issued, days = [] } = answers;
  return { targets: targetsFromRows(answers), rows: { months, longDays, issued, days } };
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

/** The certificates and tests that are read. Nobody has as many, and hours do not depend on them. */
const ISSUED_READ = 1_000;

/** The certificates and tests that are not issued in the future and not revoked: of more than `ISSUED_READ` those that were issued last. */
function issuedRecords(db: Db, owner: Owner, today: string) {
  return db
    .select({
      category: sql<string>`subtype`.as("category_code"),
      method: records.method,
      level: records.level,
      part: records.part,
      score: sql<number | null>`score`.as("mark"),
      standard: records.standard,
      status: STATUS_OF_ROW.as("status"),
      issuedOn: records.date,
      expiresOn: records.endDate,
    })
    .from(records)
    .where(
      sql`${isOwn(owner, certificateKind)} AND date <= ${today} AND subtype <> 'other' AND coalesce(revoked_on > ${today}, 1)`,
    )
    .orderBy(desc(records.date), desc(records.id))
    .limit(ISSUED_READ);
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

/** What the pages of progress show. */
export interface ProgressPage {
  user: User;
  /** The technician's date. */
  today: string;
  /** The newest first: those of a page, which begins with the target that the URL names. */
  targets: TargetProgress[];
  /** Whether there are targets on pages before, and the id of the first one on the next page. */
  hasNewer: boolean;
  older: number | null;
  year: ProgressYear;
  /** Where hours run thin. */
  thin: Thin[];
}

/** A page of targets ends with the one that brings it to this number of items: a gauge and its links have some kilobytes. */
const ITEMS_OF_PAGE = 100;

/** The targets of a page, from that with the id `first` on. */
function targetsOfPage(targets: Target[], first: string | null) {
  const start = Math.max(
    0,
    targets.findIndex(({ id }) => String(id) === first),
  );
  let [end, items] = [start, 0];
  for (; end < targets.length && items < ITEMS_OF_PAGE; end++) items += targets[end]?.items.length ?? 0;
  return { shown: targets.slice(start, end), hasNewer: start > 0, older: targets[end]?.id ?? null };
}

/**
 * The signed-in user's progress, and the year that the URL asks for.
 * @throws {Response} a redirect to /auth if no user is signed in
 */
export async function findProgress(context: AppLoadContext, url: URL): Promise<ProgressPage> {
  const today = toCalendarDate(context.timeZone, context.now);
  const year = yearFrom(url, today);
  const { user, ...answers } = await requireUser(context, (owner, db) => ({
    ...progressQueries(db, owner, { today, year }),
    ...thinQueries(db, owner, today),
  }));
  const { targets, rows } = progressFromRows(answers);
  // The pictures are of experience: training is none.
  const experience = rows.months.filter(({ kind }) => EXPERIENCE_KINDS.some(({ name }) => name === kind));
  const { shown, hasNewer, older } = targetsOfPage(targets, url.searchParams.get("target"));
  return {
    user,
    today,
    targets: await progressOf(shown, rows, today),
    hasNewer,
    older,
    thin: thinFromRows(answers),
    year: {
      year,
      years: yearsOf(experience),
      months: experience,
      days: rows.days,
      hasDayTable: url.searchParams.get("days") === "table",
    },
  };
}
