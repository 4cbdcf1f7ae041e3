import { METHODS } from "#app/db/enumerations.ts";
import { oneLine } from "#app/plain-text.ts";
import { isCalendarDate } from "#app/ui/calendar-date.ts";

/** The states of a record that a log can be filtered by. */
export const STATUSES = ["pending", "requested", "verified"] as const;
export type Status = (typeof STATUSES)[number];

/** What a log is filtered by; an empty text filters nothing. The names are those of the URL's parameters. */
export interface LogFilter {
  status: Status | "";
  method: string;
  /** The first and the last date, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Text that the location, the skills, the method or the supervisor's name contains. */
  q: string;
}

/** Reads the filter from a URL. A parameter that means nothing is ignored. */
export function filterFrom({ searchParams }: URL): LogFilter {
  const read = (name: keyof LogFilter) => oneLine(searchParams.get(name) ?? "");
  const date = (name: "from" | "to") => (isCalendarDate(read(name)) ? read(name) : "");
  return {
    status: STATUSES.find((status) => status === read("status")) ?? "",
    method: METHODS.find((method) => method === read("method")) ?? "",
    from: date("from"),
    to: date("to"),
    q: read("q").slice(0, 200),
  };
}

/** Whether a filter filters anything. */
export function isFiltering(filter: LogFilter): boolean {
  return Object.values(filter).some((value) => value !== "");
}

/** The URL of a page of a log: its path and those of the parameters that say something. */
export function logHref(path: string, params: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  return query ? `${path}?${query}` : path;
}
