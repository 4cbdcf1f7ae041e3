import type { AppLoadContext } from "@remix-run/cloudflare";
import { and, type SQL, sql } from "drizzle-orm";
import { batch, type Db, type Owner, type Rows } from "#app/db/client.server.ts";
import type { Method } from "#app/db/enumerations.ts";
import {
  filterFrom,
  isFiltering,
  type ListedFilter,
  type LogFilter,
  unknownFilters,
} from "#app/records/log-filter-form.tsx";
import { type Cursor, formatCursor, parseCursor } from "#app/records/queries.server.ts";
import { parseId } from "#app/server/query.ts";
import { type AnyRecord, dateOf, hasField, type Kind, LOG_ANCHOR, logHref } from "./kind.ts";
import {
  IS_LIVE,
  isBetween,
  isOwn,
  isRestorable,
  listRecords,
  type RowQuery,
  STATUS_CONDITIONS,
  SUM_OF_HOURS,
  VERIFIED_HOURS,
} from "./queries.server.ts";
import { records } from "./records.table.ts";
import { contains, type Rest, readSteps, stepOf } from "./search.server.ts";

/** How many records a page of a log shows. */
const PAGE_SIZE = 100;

/**
 * The page of a log that a URL refers to: `?before=` and `?after=` are cursors, the other parameters are the filter.
 */
interface LogQuery {
  filter: LogFilter;
  /** Filters that are ignored, by name. */
  unknown: ListedFilter[];
  /** The filter's condition but for its text; undefined without one. */
  where: SQL | undefined;
  /** The condition of its text. */
  text: SQL | undefined;
  before: Cursor | null;
  after: Cursor | null;
  /** The URL's parameters. */
  params: Record<string, string>;
  /** The record of the dialog `?request=`, or of the one that was closed, `?at=`. */
  at: { id: number; isClosed: boolean } | null;
}

export function logQueryFrom(kind: Kind, url: URL): LogQuery {
  const filter = filterFrom(url);
  const before = parseCursor(url.searchParams.get("before"));
  const after = parseCursor(url.searchParams.get("after"));
  const cursors = { before: before ? formatCursor(before) : "", after: after ? formatCursor(after) : "" };
  const params = Object.fromEntries(Object.entries({ ...filter, ...cursors }).filter(([, value]) => value));
  const [opened, closed] = ["request", "at"].map((name) => parseId(url.searchParams.get(name)));
  const id = opened || closed;
  const at = id ? { id, isClosed: !opened } : null;
  return {
    filter,
    unknown: unknownFilters(url, filter),
    where: filterCondition(kind, filter),
    text: textCondition(kind, filter),
    before,
    after,
    params,
    at,
  };
}

/**
 * Returns the condition for the records of a filter: those that exist, or those that were deleted and can still be
 * restored.
 */
export function existing({ status }: Pick<LogFilter, "status">, now: Date): SQL {
  return status === "deleted" ? isRestorable(now) : IS_LIVE;
}

/**
 * A filter's condition for records of a kind, apart from `existing` and `textCondition`. It ignores filters for fields that the
 * kind does not have.
 */
export function filterCondition(kind: Kind, { status, method, category, from, to }: LogFilter): SQL | undefined {
  return and(
    status && status !== "deleted" ? STATUS_CONDITIONS[status] : undefined,
    method && hasField(kind, "method") ? sql`method = ${method}` : undefined,
    category && hasField(kind, "category") ? sql`subtype = ${category}` : undefined,
    from ? sql`date >= ${from}` : undefined,
    to ? sql`date <= ${to}` : undefined,
  );
}

/** The condition that a record has the text of a filter. Search with it in steps (`stepOf`). */
export function textCondition(kind: Kind, { q }: Pick<LogFilter, "q">): SQL | undefined {
  return q ? contains(kind, q) : undefined;
}

/** The supervisor who declined a record last, and their reason. */
export interface Decline {
  /** Null once the supervisor was erased. */
  by: string | null;
  reason: string | null;
}

/** The column of a `Decline`, which the database returns as JSON. */
export function parsedDecline(decline: SQL<string | null>) {
  return decline.mapWith((json: string): Decline => JSON.parse(json)).as("decline");
}

/** A record in a log, and what its state says besides. */
export type LogRow<Row> = Row & {
  /** When a supervisor was last asked to verify it. */
  requestedAt: Date | null;
  deletedAt: Date | null;
  /** The request by which a requested record waits for an answer. */
  openRequest: number | null;
  /** The last decline, if the record was declined. */
  decline: Decline | null;
  /** How the last request or verification of a pending record has ended, in words, if the technician did not end it. */
  ended: string | null;
};

interface LogSource {
  now: Date;
  /** The last decline of a declined record, as JSON of a `Decline`; NULL for others. */
  decline: SQL<string | null>;
  /** `LogRow.ended` and `LogRow.openRequest`. */
  ended: SQL<string | null>;
  openRequest: SQL<number | null>;
}

/** The queries of a page of a log. Read the answers with `readLogPage`. */
export function logPageQueries<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  query: LogQuery,
  source: LogSource,
) {
  const { now } = source;
  return {
    records: recordsQuery(db, owner, kind, query, source),
    months: monthSumsQuery(db, owner, kind, query, now),
    deleted: db
      .select({ id: records.id })
      .from(records)
      .where(isOwn(owner, kind, isRestorable(now)))
      .limit(1),
  };
}

/** The query of a page's records. It reads one record more than the page shows, to find out whether there is a next page. */
function recordsQuery<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { filter, where, text, before, after }: LogQuery,
  { now, decline, ended, openRequest }: LogSource,
  from?: Rest,
) {
  const { requestedAt, deletedAt } = records;
  const exists = existing(filter, now);
  const isListed = and(isOwn(owner, kind, exists), where, isBetween({ before, after }));
  return stepOf(
    db,
    text,
    { where: isListed, by: "date", isAscending: after !== null, of: 2 },
    (found) =>
      listRecords(db, owner, kind, {
        before,
        after,
        where: and(where, found),
        exists,
        limit: PAGE_SIZE + 1,
        more: {
          requestedAt,
          deletedAt,
          openRequest: openRequest.as("open_request"),
          decline: parsedDecline(decline),
          ended: ended.as("ended"),
        },
      }) as RowQuery<LogRow<Row>>,
    from,
  );
}

/**
 * The query for the hours of each month and method, in hundredths. A month that goes on on another page is summed whole. With
 * a filter it is of all months, which add up to all that the filter lets through: each further statement would look at every
 * record again.
 */
function monthSumsQuery(db: Db, owner: Owner, kind: Kind, query: LogQuery, now: Date, from?: Rest) {
  const { filter, where, text } = query;
  const isListed = and(isOwn(owner, kind, existing(filter, now)), where);
  const month = sql<string>`substr(date, 1, 7)`;
  const read = (found: SQL | undefined) =>
    db
      .select({
        month: month.as("month"),
        method: records.method,
        count: sql<number>`count(*)`.as("count"),
        hundredths: SUM_OF_HOURS.as("hundredths"),
        verified: VERIFIED_HOURS.as("verified"),
      })
      .from(records)
      .where(and(isListed, isFiltering(filter) ? found : isOfMonths(isListed, query)))
      .groupBy(sql`1`, sql`2`);
  return stepOf(db, text, { where: isListed, by: "date", of: 2 }, read, from);
}

/** The condition of the records of the months that a page shows. */
function isOfMonths(isListed: SQL | undefined, { before, after }: Pick<LogQuery, "before" | "after">): SQL {
  const direction = sql.raw(after ? "ASC" : "DESC");
  // The last record of the page: `before` and `after` are where it begins.
  const last = sql`(SELECT date FROM ${records} WHERE ${and(isListed, isBetween({ before, after }))}
    ORDER BY date ${direction}, id ${direction} LIMIT 1 OFFSET ${PAGE_SIZE - 1})`;
  const [from, to] = after ? [sql`${after.date}`, last] : [last, before ? sql`${before.date}` : sql`NULL`];
  return sql`date >= coalesce(substr(${from}, 1, 7), '') AND date <= coalesce(substr(${to}, 1, 7), '9999') || '-31'`;
}

export type MonthSum = Rows<ReturnType<typeof monthSumsQuery>>["rows"][number];

/** The sums of each month and method: a step of a search may end within a month. */
function addedUp(sums: readonly MonthSum[]): MonthSum[] {
  const months = new Map<string, MonthSum>();
  for (const sum of sums) {
    const key = `${sum.month} ${sum.method}`;
    const { count = 0, hundredths = 0, verified = 0 } = months.get(key) ?? {};
    const all = {
      count: count + sum.count,
      hundredths: hundredths + sum.hundredths,
      verified: verified + sum.verified,
    };
    months.set(key, { ...sum, ...all });
  }
  return [...months.values()];
}

/** The result of a filter: the number of records, and their hours in hundredths, in all, verified and by method. */
interface Found {
  count: number;
  hundredths: number;
  verified: number;
  methods: { method: Method | null; hundredths: number }[];
}

function foundIn(months: readonly MonthSum[]): Found {
  const sums = new Map<Method | null, number>();
  for (const { method, hundredths } of months) sums.set(method, (sums.get(method) ?? 0) + hundredths);
  return {
    count: months.reduce((sum, { count }) => sum + count, 0),
    hundredths: months.reduce((sum, { hundredths }) => sum + hundredths, 0),
    verified: months.reduce((sum, { verified }) => sum + verified, 0),
    methods: [...sums].map(([method, hundredths]) => ({ method, hundredths })),
  };
}

export interface LogPage<Row> {
  records: LogRow<Row>[];
  filter: LogFilter;
  unknown: ListedFilter[];
  /** Null without a filter. */
  found: Found | null;
  /** The hours of the months on the page, and with a filter of all others, in hundredths. */
  months: MonthSum[];
  /** Whether there are records that were deleted and can be restored. */
  hasDeleted: boolean;
  /** The parameters of this page's URL. */
  params: Record<string, string>;
  newerHref: string | null;
  olderHref: string | null;
  /** The record that a dialog is about: its row keeps its place, and takes the focus back once that is closed. */
  at: LogQuery["at"];
  /** The time of the request, and the viewer's time zone. */
  now: Date;
  timeZone: string;
}

/**
 * Makes the page from the rows of `logPageQueries`. Records that a search has not looked through yet are read first, in
 * one round trip for each step.
 */
export async function readLogPage<Row extends AnyRecord>(
  { db, now, timeZone }: Pick<AppLoadContext, "db" | "now" | "timeZone">,
  owner: number,
  kind: Kind<Row>,
  query: LogQuery,
  source: LogSource,
  { records: list, months: sums, deleted }: Rows<ReturnType<typeof logPageQueries<Row>>>,
): Promise<LogPage<Row>> {
  const { filter, unknown, before, after, params, at } = query;
  const rows = await readSteps<LogRow<Row>>(
    list,
    ({ length }) => length > PAGE_SIZE,
    (from) => batch(db, recordsQuery(db, owner, kind, query, source, from)),
  );
  const ofSteps = await readSteps<MonthSum>(
    sums,
    () => false,
    (from) => batch(db, monthSumsQuery(db, owner, kind, query, now, from)),
  );
  const months = addedUp(ofSteps);
  const hasMore = rows.length > PAGE_SIZE;
  const page = rows.slice(0, PAGE_SIZE);
  const records = after ? page.reverse() : page; // towards newer records the query sorts in ascending order
  const cursorOf = (record: Row | undefined) =>
    record ? formatCursor({ date: dateOf(kind, record), id: record.id }) : "";
  const hasNewer = after ? hasMore : before !== null;
  const hasOlder = after ? records.length > 0 : hasMore;
  const hrefOf = (cursor: Record<string, string>) => logHref(kind.path, { ...filter, ...cursor }) + LOG_ANCHOR;
  return {
    records,
    filter,
    unknown,
    found: isFiltering(filter) ? foundIn(months) : null,
    months,
    hasDeleted: deleted.length > 0,
    params,
    newerHref: hasNewer ? hrefOf({ after: cursorOf(records[0]) }) : null,
    olderHref: hasOlder ? hrefOf({ before: cursorOf(records.at(-1)) }) : null,
    at,
    now,
    timeZone,
  };
}
