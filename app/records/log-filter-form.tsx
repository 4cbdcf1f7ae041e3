import { METHODS, STATUSES } from "#app/db/enumerations.ts";
import { methodLabel } from "./entry/methods.ts";
import type { Kind } from "./kind.ts";
import { isFiltering, type LogFilter } from "./log-filter.ts";

const STATUS_LABELS = { pending: "Pending", requested: "Requested", declined: "Declined", verified: "Verified" };

/** The filter of a log. It is part of the URL, so that a filtered log can be bookmarked, reloaded and printed. */
export function LogFilterForm({ kind, filter }: { kind: Kind; filter: LogFilter }) {
  const { status, method, from, to, q } = filter;
  return (
    <details className="filter" open={isFiltering(filter)}>
      <summary>Filter</summary>
      <form action={kind.path}>
        <div className="field">
          <label htmlFor="status">Status</label>
          <select id="status" name="status" defaultValue={status}>
            <option value="">All</option>
            {STATUSES.map((value) => (
              <option key={value} value={value}>
                {STATUS_LABELS[value]}
              </option>
            ))}
          </select>
        </div>
        {kind.content.includes("method") && (
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
        {isFiltering(filter) && <a href={kind.path}>Show all</a>}
      </form>
    </details>
  );
}
