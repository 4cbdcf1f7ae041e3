import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { searchText } from "#app/db/search-text.ts";
import { type Cursor, formatCursor, parseCursor } from "./cursor.ts";
import { type AnyRecord, columnSql, dateOf, type Kind } from "./kind.ts";
import { filterFrom, type LogFilter, logHref } from "./log-filter.ts";
import { listRecords, type RowQuery } from "./queries.server.ts";

/** How many records a page of a log shows (product "Settled"). */
const PAGE_SIZE = 100;

/** Which page of a log a URL asks for: `?before=` and `?after=` are cursors, the rest is the filter. */
export interface LogQuery {
  filter: LogFilter;
  /** The filter's condition, where it filters anything. */
  where: SQL | undefined;
  before: Cursor | null;
  after: Cursor | null;
  /** The URL's parameters that say all this. */
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

/** The condition that a filter puts on a kind's records. A filter that the kind has no field for is ignored. */
function filterCondition(kind: Kind, { status, method, from, to, q }: LogFilter): SQL | undefined {
  const date = columnSql(kind, kind.dateField);
  const byStatus = {
    pending: sql`verified = 0 AND verification_token IS NULL`,
    requested: sql`verified = 0 AND verification_token IS NOT NULL`,
    verified: sql`verified = 1`,
  };
  return and(
    status ? byStatus[status] : undefined,
    method && kind.content.includes("method") ? sql`method = ${method}` : undefined,
    from ? sql`${date} >= ${from}` : undefined,
    to ? sql`${date} <= ${to}` : undefined,
    q ? sql`instr(search, ${searchText(q)}) > 0` : undefined,
  );
}

/** A record in a log, and whether a supervisor was asked to verify it. */
export type LogRow<Row> = Row & { isRequested: boolean };

/** The query for a page: one record more than it shows, which tells whether there are others beyond it. */
export function logPageQuery<Row extends AnyRecord>(
  db: Db,
  owner: Owner,
  kind: Kind<Row>,
  { where, before, after }: LogQuery,
): RowQuery<LogRow<Row>> {
  const isRequested = sql<boolean>`verification_token IS NOT NULL`.mapWith(Boolean).as("is_requested");
  return listRecords(db, owner, kind, {
    before,
    after,
    where,
    limit: PAGE_SIZE + 1,
    more: { isRequested },
  }) as RowQuery<LogRow<Row>>;
}

/** A page of a log, newest first, and the URLs of the pages before and behind it. */
export interface LogPage<Row> {
  records: LogRow<Row>[];
  filter: LogFilter;
  /** The parameters of this page's own URL. */
  params: Record<string, string>;
  newerHref: string | null;
  olderHref: string | null;
}

/** The page that the rows of `logPageQuery` make. */
export function logPageFromRows<Row extends AnyRecord>(
  kind: Kind<Row>,
  rows: LogRow<Row>[],
  { filter, before, after, params }: LogQuery,
): LogPage<Row> {
  const hasMore = rows.length > PAGE_SIZE;
  const page = rows.slice(0, PAGE_SIZE);
  const records = after ? page.reverse() : page; // towards newer records they are read in the other direction
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
