import { Fragment, type ReactNode } from "react";
import { formatDate } from "#app/calendar-date.ts";
import { type Category, METHODS, STATUSES, type Status } from "#app/db/enumerations.ts";
import { methodLabel } from "./entry/methods.ts";
import { choiceLabel } from "./kind.ts";
import { isFiltering, type ListedFilter, type LogFilter } from "./log-filter.ts";

const STATUS_LABELS: Record<Status, string> = {
  pending: "Pending",
  requested: "Requested",
  declined: "Declined",
  verified: "Verified",
  deleted: "Deleted",
};

const FILTERS: Record<ListedFilter, string> = {
  status: "Status",
  method: "Method",
  category: "Category",
  from: "From",
  to: "To",
};

interface LogFilterFormProps {
  /** The page of the log. */
  path: string;
  filter: LogFilter;
  hasMethods: boolean;
  /** The categories to choose from, if its records have one. */
  categories?: readonly Category[];
  /** What the filter lets through, in words. */
  found: ReactNode;
  /** Filters in the address that are ignored, by name. */
  unknown: readonly ListedFilter[];
  statuses?: readonly Status[];
  /** Filters that only this log has. */
  children?: ReactNode;
}

/**
 * The filter of a log, and what it lets through. It is part of the URL, so that a filtered log can be bookmarked, reloaded
 * and printed. After *Show* it is folded again on a phone, so that what it lets through is in sight.
 */
export function LogFilterForm(props: LogFilterFormProps) {
  return (
    <>
      <FilterFields {...props} />
      {props.unknown.length > 0 && (
        <p className="alert">{`Unknown filter, ignored: ${props.unknown.map((name) => FILTERS[name]).join(", ")}`}</p>
      )}
      {isFiltering(props.filter) && <FoundLine {...props} />}
    </>
  );
}

function FoundLine({ path, filter, found }: LogFilterFormProps) {
  const { status, method, category, from, to, q } = filter;
  const chosen = [
    status && [FILTERS.status, STATUS_LABELS[status]],
    method && [FILTERS.method, methodLabel(method)],
    category && [FILTERS.category, choiceLabel(category)],
    from && [FILTERS.from, formatDate(from)],
    to && [FILTERS.to, formatDate(to)],
    q && ["Contains", q],
  ].filter((one) => one !== "");
  return (
    <p className="found">
      <span>
        {chosen.map(([name, value]) => (
          <Fragment key={name}>
            {`${name}: `}
            <b dir="auto">{value}</b>
            {". "}
          </Fragment>
        ))}
        {found}
      </span>{" "}
      <a href={path}>Show all</a>
    </p>
  );
}

interface ChoicesProps<Value extends string> {
  name: string;
  heading: string;
  chosen: string;
  values: readonly Value[];
  labelOf: (value: Value) => string;
}

/** A filter by one of some values, or by none. */
function Choices<Value extends string>({ name, heading, chosen, values, labelOf }: ChoicesProps<Value>) {
  return (
    <div className="field">
      <label htmlFor={name}>{heading}</label>
      <select id={name} name={name} defaultValue={chosen}>
        <option value="">All</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {labelOf(value)}
          </option>
        ))}
      </select>
    </div>
  );
}

function FilterFields({ path, filter, hasMethods, statuses = STATUSES, categories, children }: LogFilterFormProps) {
  const { status, method, category, from, to, q } = filter;
  return (
    <details className="filter">
      <summary>Filter</summary>
      <form action={path}>
        {children}
        <Choices
          name="status"
          heading="Status"
          chosen={status}
          values={statuses}
          labelOf={(value) => STATUS_LABELS[value]}
        />
        {hasMethods && (
          <Choices name="method" heading="Method" chosen={method} values={METHODS} labelOf={methodLabel} />
        )}
        {categories && (
          <Choices name="category" heading="Category" chosen={category} values={categories} labelOf={choiceLabel} />
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
      </form>
    </details>
  );
}
