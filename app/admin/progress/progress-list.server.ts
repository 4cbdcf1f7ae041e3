import type { AppLoadContext } from "@remix-run/cloudflare";
import { type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { ifAdmin } from "#app/admin/lists.server.ts";
import { toCalendarDate, yearsBefore } from "#app/calendar-date.ts";
import { DAY_HOURS_MAX } from "#app/certification/amounts.ts";
import type { PresetItem } from "#app/certification/presets/preset.ts";
import { IS_OF_ANY_KIND } from "#app/certification/progress.server.ts";
import type { Db, Owner } from "#app/db/client.server.ts";
import { searchText } from "#app/plain-text.ts";
import { HOURS_OF_A_DAY } from "#app/records/hours.ts";
import { records } from "#app/records/records.table.ts";
import { CSV_BOM, csvLine } from "#app/server/csv.ts";
import { download } from "#app/server/stream.server.ts";
import { type ProgressView, percentOf, progressViewAt } from "./progress-view.ts";

/** A technician's hours in hundredths, without records in the future, and how far they are towards a preset. */
export interface TechnicianProgress extends Pick<User, "id" | "name" | "email" | "employeeNumber"> {
  verified: number;
  waiting: number;
  /** The date of the last OJT entry or rope hours, `YYYY-MM-DD`. */
  last: string | null;
  /** For each item of the preset what is verified, in hundredths of its unit. */
  items: number[];
}

interface Range {
  today: string;
  limit: number;
  offset: number;
}

/** Greater than any id. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * The technicians of a view, in its order, in one statement. Sorted by name it adds up the records of those that it returns
 * alone. Sorted by a sum it has to add up those of every technician that the search finds, once and in the order of the
 * covering index (docs/decisions/0056-progress-in-hundredths.md).
 */
export function listProgress(db: Db, viewer: Owner, view: ProgressView, { today, limit, offset }: Range) {
  const { search, preset, sort, isDescending } = view;
  const items = preset?.items ?? [];
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  const found = sql`FROM users WHERE users.id < ${ifAdmin(viewer, END)}
    ${search ? sql`AND instr(users.search, ${searchText(search)}) > 0` : sql``}`;
  const byName = sql`coalesce(nullif(name, ''), email) COLLATE NOCASE ${direction}, users.id ${direction}`;
  const range = sql`LIMIT ${limit} OFFSET ${offset}`;
  const isByName = sort === "name";
  // Which users' records are added up.
  const shown = sql`(SELECT users.id ${found} ${isByName ? sql`ORDER BY ${byName} ${range}` : sql``})`;
  const amounts = items.map((_, index) => sql`coalesce(${amount(index)}, 0)`);
  const order = isByName ? byName : sql`${sql.raw(sortColumn(sort))} ${direction}, users.id ${direction}`;
  return db
    .select({
      id: sql<number>`users.id`.as("technician_id"),
      name: sql<string | null>`users.name`.as("technician_name"),
      email: sql<string>`users.email`.as("technician_email"),
      employeeNumber: sql<string | null>`users.employee_number`.as("technician_number"),
      verified: sql<number>`coalesce(verified, 0)`.as("verified_sum"),
      waiting: sql<number>`coalesce(waiting, 0)`.as("waiting_sum"),
      last: sql<string | null>`last_day`.as("last_entry"),
      items: sql`json_array(${sql.join(amounts, sql`, `)})`
        .mapWith((json: string): number[] => JSON.parse(json))
        .as("item_amounts"),
      ...(items.length > 0 &&
        sort.startsWith("item-") && {
          sorted: sql<number>`${amounts[Number(sort.slice(5))] ?? sql`0`}`.as("sorted_amount"),
        }),
    })
    .from(sql`users LEFT JOIN ${sumsOf(items, shown, today)} AS sums ON sums.user_id = users.id`)
    .where(sql`users.id IN ${shown}`)
    .orderBy(order)
    .limit(isByName ? -1 : limit)
    .offset(isByName ? 0 : offset);
}

const SORT_COLUMNS: Record<string, string> = { verified: "verified_sum", waiting: "waiting_sum", last: "last_entry" };

function sortColumn(sort: string): string {
  return SORT_COLUMNS[sort] ?? "sorted_amount";
}

function amount(index: number): SQL {
  return sql.raw(`amount_${index}`);
}

/**
 * The sums by user: first by day and kind, because ISO 9712 limits a day, then over all days. Both are groups in the order
 * of the covering index, so nothing is sorted.
 */
function sumsOf(items: readonly PresetItem[], users: SQL, today: string): SQL {
  const daily = items.map((item, index) => {
    const counts = sql`verified AND kind = ${sql.raw(`'${item.kind}'`)}
      ${item.methods.length > 0 ? sql`AND method IN (${listOf(item.methods)})` : sql``}
      ${item.category === "work" ? sql`AND subtype IS NOT 'training'` : sql``}
      ${item.workedAs ? sql`AND level = ${sql.raw(`'${item.workedAs}'`)}` : sql``}
      ${item.withinYears ? sql`AND date >= ${sql.raw(`'${yearsBefore(today, item.withinYears)}'`)}` : sql``}`;
    return sql`, sum(iif(${counts} AND NOT brought_forward, hours, 0)) AS ${day(index)},
      sum(iif(${counts} AND brought_forward, hours, 0)) AS ${brought_(index)},
      max(${counts} AND NOT brought_forward) AS ${has(index)}`;
  });
  const totals = items.map((item, index) => sql`, ${totalOf(item, index)} AS ${amount(index)}`);
  return sql`(SELECT user_id, sum(verified_day) AS verified, sum(waiting_day) AS waiting, max(day) AS last_day
      ${sql.join(totals)}
    FROM (SELECT user_id, date AS day, sum(verified * hours) AS verified_day,
        sum((requested_at IS NOT NULL) * hours) AS waiting_day
        ${sql.join(daily)}
      FROM ${records} WHERE user_id IN ${users} AND ${IS_OF_ANY_KIND} AND date <= ${today}
      GROUP BY user_id, kind, date)
    GROUP BY user_id)`;
}

function totalOf({ unit }: PresetItem, index: number): SQL {
  if (unit === "months") return sql`100 * count(DISTINCT iif(${has(index)}, substr(day, 1, 7), NULL))`;
  if (unit === "hours") return sql`sum(${day(index)} + ${brought_(index)})`;
  const most = sql.raw(String(100 * DAY_HOURS_MAX));
  return sql`sum(min(${day(index)}, ${most}) + ${brought_(index)}) / ${sql.raw(String(HOURS_OF_A_DAY))}`;
}

const day = (index: number) => sql.raw(`day_${index}`);
const brought_ = (index: number) => sql.raw(`brought_${index}`);
const has = (index: number) => sql.raw(`has_${index}`);

/** Codes of methods, which are ours and hold no quotation mark, as names of kinds: bound values would be too many. */
function listOf(methods: readonly string[]): SQL {
  return sql.raw(methods.map((method) => `'${method}'`).join(", "));
}

/** How many technicians a page of the list shows, and how many a file has. */
const PAGE_SIZE = 50;
const FILE_SIZE = 10_000;

export interface AdminProgressPage {
  user: User;
  technicians: TechnicianProgress[];
  hasNext: boolean;
}

/**
 * A page of the technicians' progress, in one round trip.
 * @throws as `requireAdmin`
 */
export async function adminProgress(
  context: AppLoadContext,
  view: ProgressView,
  size = PAGE_SIZE,
): Promise<AdminProgressPage> {
  const today = toCalendarDate(context.timeZone, context.now);
  const { user, list } = await requireAdmin(context, (viewer, db) => ({
    // One more than is shown, to find out whether there is a next page.
    list: listProgress(db, viewer, view, { today, limit: size + 1, offset: (view.page - 1) * size }),
  }));
  return { user, technicians: list.slice(0, size), hasNext: list.length > size };
}

/**
 * The list as a CSV file, of up to 10,000 technicians; `page` counts files.
 * @throws as `requireAdmin`
 */
export async function adminProgressCsv(context: AppLoadContext, url: URL): Promise<Response> {
  const view = progressViewAt(url);
  const { technicians } = await adminProgress(context, view, FILE_SIZE);
  return download(
    context,
    `progress-${toCalendarDate(context.timeZone, context.now)}`,
    "csv",
    lines(technicians, view),
  );
}

async function* lines(technicians: TechnicianProgress[], { preset }: ProgressView): AsyncGenerator<string> {
  const items = preset?.items ?? [];
  const titles = items.map(({ title }) => `${preset?.title}: ${title}, percent`);
  const columns = ["Name", "Email", "Employee Number", "Hours verified", "Hours requested", "Last entry"];
  yield CSV_BOM + csvLine([...columns, ...titles]);
  for (const technician of technicians) {
    const { name, email, employeeNumber, verified, waiting, last } = technician;
    const percents = items.map(({ required }, index) => percentOf(technician.items[index] ?? 0, required));
    yield csvLine([name, email, employeeNumber, verified / 100, waiting / 100, last, ...percents]);
  }
}
