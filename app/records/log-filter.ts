import { isCalendarDate } from "#app/calendar-date.ts";
import { CATEGORIES, type Category, METHODS, type Method, STATUSES, type Status } from "#app/db/enumerations.ts";
import { oneLine } from "#app/plain-text.ts";

/** The filter of a log, by the names of its URL parameters. An empty value does not filter. */
export interface LogFilter {
  status: Status | "";
  method: Method | "";
  category: Category | "";
  /** The first and the last date, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** A search text (`Kind.search`). */
  q: string;
}

/** The most characters of a search text. */
export const SEARCH_MAX = 200;

export function filterFrom({ searchParams }: URL): LogFilter {
  const read = (name: keyof LogFilter) => oneLine(searchParams.get(name) ?? "");
  const date = (name: "from" | "to") => (isCalendarDate(read(name)) ? read(name) : "");
  return {
    status: STATUSES.find((status) => status === read("status")) ?? "",
    method: METHODS.find((method) => method === read("method")) ?? "",
    category: CATEGORIES.find((category) => category === read("category")) ?? "",
    from: date("from"),
    to: date("to"),
    q: read("q").slice(0, SEARCH_MAX),
  };
}

/** A filter that may be unknown: of these there is a list. */
export type ListedFilter = Exclude<keyof LogFilter, "q">;

/** The filters in a URL that have no meaning, and are ignored: an unknown status, method or category, a text that is no date. */
export function unknownFilters({ searchParams }: URL, filter: LogFilter): ListedFilter[] {
  return (["status", "method", "category", "from", "to"] as const).filter(
    (name) => searchParams.get(name)?.trim() && !filter[name],
  );
}

export function isFiltering(filter: LogFilter): boolean {
  return Object.values(filter).some((value) => value !== "");
}
