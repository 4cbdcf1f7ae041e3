import type { ReactNode } from "react";
import { METHODS, STATUSES, type Status } from "#app/db/enumerations.ts";
import { methodLabel } from "./entry/methods.ts";
import { isFiltering, type LogFilter } from "./log-filter.ts";

const STATUS_LABELS = { pending: "Pending", requested: "Requested", declined: "Declined", verified: "Verified" };

interface LogFilterFormProps {
  /** The page of the log. */
  path: string;
  filter: LogFilter;
  hasMethods: boolean;
  statuses?: readonly Status[];
  /** Filters that only this log has. */
  children?: ReactNode;
}

/** The filter of a log. It is part of the URL, so that a filtered log can be bookmarked, reloaded and printed. */
export function LogFilterForm({ path, filter, hasMethods, statuses = STATUSES, children }: LogFilterFormProps) {
  const { status, method, from, to, q } = filter;
  return (
    // Not for a filter that is a child's: a link may have set it.
    <details className="filter" open={isFiltering({ status, method, from, to, q })}>
      <summary>Filter</summary>
      <form action={path}>
        {children}
        <div className="field">
          <label htmlFor="status">Status</label>
          <select id="status" name="status" defaultValue={status}>
            <option value="">All</option>
            {statuses.map((value) => (
              <option key={value} value={value}>
                {STATUS_LABELS[value]}
              </option>
            ))}
          </select>
        </div>
        {hasMethods && (
          <div className="field">
            <label htmlFor="method">Method</label>
            <select id="method" name="method" defaultValue={method}>
              <option value="">All</option>
              {METHODS.map((value) => (
                <option key={value} value={value}>
                  {methodLabel(value)}
                </option>
              ))}
            </select>
          </div>
        )}
        <div className="field">
          <label htmlFor="from">From</label>
          <input type="date" id="from" name="from" defaultValue={from} />
        </div>
        <div className="field">
          <label htmlFor="to">To</label>
          <input type="date" id="to" name="to" defaultValue={to} />
        </div>
        <div className="field text-field">
          <label htmlFor="q">Contains</label>
          <input type="search" id="q" name="q" defaultValue={q} autoComplete="off" />
        </div>
        <button type="submit" className="second">
          Show
        </button>
        {isFiltering(filter) && <a href={path}>Show all</a>}
      </form>
    </details>
  );
}
