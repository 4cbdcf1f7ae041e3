import { Fragment, type ReactNode } from "react";
import { formatDate, isCalendarDate } from "#app/calendar-date.ts";
import { CATEGORIES, type Category, METHODS, type Method, STATUSES, type Status } from "#app/db/enumerations.ts";
import { type Choice, Options } from "#app/forms/field.tsx";
import { oneLine } from "#app/plain-text.ts";
import { METHOD_CHOICES } from "#app/records/entry/entry-rules.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { choiceLabel } from "./kind.ts";

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
  /** The result of the filter, in words. */
  found: ReactNode;
  /** Filters in the address that are ignored, by name. */
  unknown: readonly ListedFilter[];
  statuses?: readonly Status[];
  /** Filters that only this log has. */
  children?: ReactNode;
  isOpen?: boolean;
}

/**
 * The filter of a log. It is part of the URL, so that a filtered log can be bookmarked, reloaded and printed. It is folded: a phone has
 * what it lets through in sight.
 */
export function LogFilterForm(props: LogFilterFormProps) {
  return (
    <>
      <FilterFields {...props} />
      <FilterResult {...props} />
    </>
  );
}

/** What the filter of a log lets through, below it. */
export function FilterResult(props: Omit<LogFilterFormProps, "hasMethods">) {
  return (
    <>
      {props.unknown.length > 0 && (
        <p className="alert">{`Unknown filter, ignored: ${props.unknown.map((name) => FILTERS[name]).join(", ")}`}</p>
      )}
      {isFiltering(props.filter) && <FoundLine {...props} />}
    </>
  );
}

function FoundLine({ path, filter, found }: Pick<LogFilterFormProps, "path" | "filter" | "found">) {
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

interface ChoicesProps {
  name: string;
  heading: string;
  chosen: string;
  choices: readonly Choice[];
}

/** A filter by one of some values, or by none. */
function Choices({ name, heading, chosen, choices }: ChoicesProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{heading}</label>
      <select id={name} name={name} defaultValue={chosen}>
        <option value="">All</option>
        <Options choices={choices} />
      </select>
    </div>
  );
}

type FilterFieldsProps = Omit<LogFilterFormProps, "found" | "unknown">;

/** The fields of a filter. In the head of a log they are folded beside its name, and open while it filters. */
export function FilterFields({
  path,
  filter,
  hasMethods,
  statuses = STATUSES,
  categories,
  children,
  isOpen = false,
}: FilterFieldsProps) {
  const { status, method, category, from, to, q } = filter;
  return (
    <details className="filter" open={isOpen}>
      <summary>Filter</summary>
      <form action={path}>
        {children}
        <Choices
          name="status"
          heading="Status"
          chosen={status}
          choices={statuses.map((value) => [value, STATUS_LABELS[value]])}
        />
        {hasMethods && <Choices name="method" heading="Method" chosen={method} choices={METHOD_CHOICES} />}
        {categories && (
          <Choices
            name="category"
            heading="Category"
            chosen={category}
            choices={categories.map((value) => [value, choiceLabel(value)])}
          />
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
