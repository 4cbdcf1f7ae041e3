import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { searchText } from "#app/db/search-text.ts";
import { type Cursor, formatCursor, parseCursor } from "./cursor.ts";
import { type AnyRecord, dateOf, hasField, type Kind } from "./kind.ts";
import { filterFrom, type LogFilter, logHref } from "./log-filter.ts";
import { listRecords, type RowQuery, STATUS_CONDITIONS } from "./queries.server.ts";
import { records } from "./records.table.ts";

/** How many records a page of a log shows (product "Settled"). */
const PAGE_SIZE = 100;

/**
 * The page of a log that a URL refers to: `?before=` and `?after=` are cursors, the other parameters are the filter.
 */
export interface LogQuery {
  filter: LogFilter;
  /** The filter's condition; undefined without a filter. */
  where: SQL | undefined;
  before: Cursor | null;
  after: Cursor | null;
  /** The URL's parameters. */
  params: Record<string, string>;
}

export function logQueryFrom(kind: Kind, url: URL): LogQuery {
  const filter = filterFrom(url);
  const before = parseCursor(url.searchParams.get("before"));
  const after = parseCursor(url.searchParams.get("after"));
  const cursors = { before: before ? formatCursor(before) : "", after: after ? formatCursor(after) : "" };
  const params = Object.fromEntries(Object.entries({ ...filter, ...cursors }).filter(([, value]) => value));
  return { filter, where: filterCondition(kind, filter), before, after, params };
}

/** A filter's condition for records of a kind. It ignores filters for fields that the kind does not have. */
export function filterCondition(kind: Kind, { status, method, from, to, q }: LogFilter): SQL | undefined {
  return and(
    status ? STATUS_CONDITIONS[status] : undefined,
    method && hasField(kind, "method") ? sql`method = ${method}` : undefined,
    from ? sql`date >= ${from}` : undefined,
    to ? sql`date <= ${to}` : undefined,
    q ? sql`instr(search, ${searchText(q)}) > 0` : undefined,
  );
}

/** A record in a log, and when a supervisor was last asked to verify it. */
export type LogRow<Row> = Row & { requestedAt: Date | null };

/** The query of a page. It reads one record more than the page shows, to find out whether there is a next page. */
export function logPageQuery<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { where, before, after }: LogQuery,
): RowQuery<LogRow<Row>> {
  return listRecords(db, owner, kind, {
    before,
    after,
    where,
    limit: PAGE_SIZE + 1,
    more: { requestedAt: records.requestedAt },
  }) as RowQuery<LogRow<Row>>;
}

export interface LogPage<Row> {
  records: LogRow<Row>[];
  filter: LogFilter;
  /** The parameters of this page's URL. */
  params: Record<string, string>;
  newerHref: string | null;
  olderHref: string | null;
}

/** The page made from the rows of `logPageQuery`. */
export function logPageFromRows<Row extends AnyRecord>(
  kind: Kind<Row>,
  rows: LogRow<Row>[],
  { filter, before, after, params }: LogQuery,
): LogPage<Row> {
  const hasMore = rows.length > PAGE_SIZE;
  const page = rows.slice(0, PAGE_SIZE);
  const records = after ? page.reverse() : page; // towards newer records the query sorts in ascending order
  const cursorOf = (record: Row | undefined) =>
    record ? formatCursor({ date: dateOf(kind, record), id: record.id }) : "";
  const hasNewer = after ? hasMore : before !== null;
  const hasOlder = after ? records.length > 0 : hasMore;
  return {
    records,
    filter,
    params,
    newerHref: hasNewer ? logHref(kind.path, { ...filter, after: cursorOf(records[0]) }) : null,
    olderHref: hasOlder ? logHref(kind.path, { ...filter, before: cursorOf(records.at(-1)) }) : null,
  };
}
