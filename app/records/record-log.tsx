import { Fragment, type ReactNode } from "react";
import { formatDate, formatDaysAgo, formatHoursAgo, formatMonth, toCalendarDate } from "#app/calendar-date.ts";
import { CATEGORIES, type Status, type Via } from "#app/db/enumerations.ts";
import { FilterFields, FilterResult, isFiltering } from "#app/records/log-filter-form.tsx";
import { ViaLegend, ViaMark } from "#app/records/via.tsx";
import { State } from "#app/ui/page.tsx";
import { formatHours } from "./hours.ts";
import { countRecords, hasField, isAskable, type Kind, LOG_ANCHOR, logHref, recordPath, SHOW_DELETED } from "./kind.ts";
import type { Decline, LogPage, LogRow, MonthSum } from "./log-page.server.ts";

const LABELS = { pending: "Pending", requested: "Requested", declined: "Declined", deleted: "Deleted" };

interface StateCellProps {
  status: Status;
  verifiedBy: string | null;
  verifiedVia: Via | null;
  /** More than the name of the state, where it is known. */
  text?: ReactNode;
  /** The actions for a record that is not verified. */
  children?: ReactNode;
}

/** The cell that says the state of its row's record. The row has the state as its class. */
export function StateCell({ status, verifiedBy, verifiedVia, text, children }: StateCellProps) {
  return (
    <td className="sign">
      <div>
        <State of={status}>
          {text ?? textOf(status, verifiedBy)}
          <ViaMark via={verifiedVia} />
        </State>
        {status !== "verified" && children}
      </div>
    </td>
  );
}

function textOf(status: Status, verifiedBy: string | null): string {
  if (status === "verified") return `Verified by ${verifiedBy}`;
  return LABELS[status];
}

interface RecordLogProps {
  kind: Kind;
  page: LogPage<{ id: number; status: Status; verifiedVia: Via | null }>;
  /** The table of this page's records. */
  children: ReactNode;
  /** The name of the log, and what can be done with all of it: both share a line with the filter. */
  title?: ReactNode;
  tools?: ReactNode;
  /** Whether the page leads to the request for all pending records elsewhere. */
  asksAbove?: boolean;
}

/** The head of a log: its name and its tools in one line. */
function LogHead({ title, tools, children }: Pick<RecordLogProps, "title" | "tools" | "children">) {
  return (
    <header className="head tools">
      {title}
      {children}
      {tools}
    </header>
  );
}

/**
 * The parts around the table of every kind: the filter, and the links to newer and older records. The form around the
 * table makes each Request Verification button open the dialog by its URL, over the same page of the log.
 */
export function RecordLog({ kind, page, children, title, tools, asksAbove = false }: RecordLogProps) {
  const { records, filter, unknown, params, newerHref, olderHref } = page;
  const { many } = kind.adminTexts;
  const isFiltered = isFiltering(filter);
  const path = kind.path + LOG_ANCHOR;
  return (
    <>
      <LogHead title={title} tools={tools}>
        <FilterFields
          path={path}
          filter={filter}
          hasMethods={hasField(kind, "method")}
          isOpen={isFiltered}
          {...(hasField(kind, "category") && { categories: CATEGORIES })}
        />
      </LogHead>
      <FilterResult path={path} filter={filter} found={foundText(kind, page)} unknown={unknown} />
      {!asksAbove && records.some((record) => record.status === "pending" && isAskable(kind, { ...record })) && (
        <a href={logHref("/requests/new", { all: "1", kind: kind.name, ...filter })}>
          Request verification for all pending
        </a>
      )}
      {records.length === 0 && !isFiltered && <p className="empty">{`No ${many} here.`}</p>}
      <form action={kind.path}>
        <LogParamFields params={params} />
        {children}
        <ViaLegend records={records} />
      </form>
      {(newerHref || olderHref) && (
        <p className="row">
          {newerHref && <a href={newerHref}>{`Newer ${many}`}</a>}
          {olderHref && <a href={olderHref}>{`Older ${many}`}</a>}
        </p>
      )}
    </>
  );
}

/** In place of a log without any record. */
export function NothingLogged({ kind, page: { hasDeleted }, title, tools, children }: RecordLogProps) {
  return (
    <>
      {title && (
        <LogHead title={title} tools={tools}>
          {null}
        </LogHead>
      )}
      <p className="empty">
        {children}
        {hasDeleted && (
          <>
            {" "}
            <a href={logHref(kind.path, { status: "deleted" }) + LOG_ANCHOR}>{SHOW_DELETED}</a>
          </>
        )}
      </p>
    </>
  );
}

/** The attributes of a record's row: its state as its class, and whether a dialog is about it (app/ui/dialog.tsx). */
export function rowAttributes({ id, status }: StateOf, { at }: LogPage<unknown>) {
  return { className: status, ...(at?.id === id && { "data-at": "" }) };
}

export function LogParamFields({ params }: { params: Record<string, string> }) {
  return Object.entries(params).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

function foundText(kind: Kind, { found, filter: { status } }: RecordLogProps["page"]): string {
  if (!found?.count) return `No ${kind.adminTexts.many} match this filter.`;
  const kept = status === "deleted" ? ", kept for 24 hours" : "";
  const hours = hasField(kind, "hours") ? `, ${formatHours(found.hundredths)} h` : "";
  return `${countRecords(found.count)}${hours}${kept}`;
}

/** The rows of a page, each month under its name. `line` renders the row of a month, `row` that of a record. */
export function rowsByMonth<Row extends { id: number }>(
  { records, months }: LogPage<Row>,
  dateOf: (record: Row) => string,
  line: (name: string, sums: MonthSum[]) => ReactNode,
  row: (record: LogRow<Row>) => ReactNode,
): ReactNode {
  const monthOf = (record: Row) => dateOf(record).slice(0, 7);
  return records.map((record, index) => {
    const month = monthOf(record);
    const before = records[index - 1];
    return (
      <Fragment key={record.id}>
        {(!before || monthOf(before) !== month) &&
          line(
            formatMonth(month),
            months.filter((sum) => sum.month === month),
          )}
        {row(record)}
      </Fragment>
    );
  });
}

type StateOf = { id: number; status: Status; verifiedBy: string | null; verifiedVia: Via | null };

/** A link to the page of a record, which a deleted one does not have. */
export function RecordLink({ kind, record, children }: { kind: Kind; record: StateOf; children: ReactNode }) {
  return record.status === "deleted" ? children : <a href={recordPath(kind, record.id)}>{children}</a>;
}

interface LogStateProps {
  kind: Kind;
  record: LogRow<StateOf & { [field: string]: unknown }>;
  page: LogPage<unknown>;
}

/** Shows the state of a record in a row of a log: since when and by whom, and the actions that are possible. */
export function LogState({ kind, record, page: { now, timeZone, at } }: LogStateProps) {
  const { id, status, verifiedBy, verifiedVia, requestedAt, deletedAt, openRequest, decline, ended } = record;
  // The dialog about it was closed: what it was opened by gets the focus back.
  const isClosed = at?.isClosed === true && at.id === id;
  const text =
    (status === "requested" && requestedAt && <Since now={now} at={requestedAt} timeZone={timeZone} />) ||
    (status === "declined" && decline && <Declined {...decline} />) ||
    (status === "pending" && !isAskable(kind, record) && "Private: not sent to a supervisor") ||
    (status === "pending" && ended && `Pending: ${ended.charAt(0).toLowerCase()}${ended.slice(1)}`) ||
    (status === "deleted" && deletedAt && `Deleted ${formatHoursAgo(now, deletedAt)}`) ||
    undefined;
  return (
    <StateCell status={status} verifiedBy={verifiedBy} verifiedVia={verifiedVia} text={text}>
      {status === "deleted" ? (
        <button type="submit" className="second" formMethod="post" formAction={`${recordPath(kind, id)}/restore`}>
          Undo
        </button>
      ) : openRequest !== null && requestedAt ? (
        <OpenRequest
          id={openRequest}
          isOfToday={formatDaysAgo(timeZone, now, requestedAt) === "today"}
          hasFocus={isClosed}
        />
      ) : (
        isAskable(kind, record) && (
          <button name="request" value={id} type="submit" className="second" autoFocus={isClosed}>
            Request Verification
          </button>
        )
      )}
    </StateCell>
  );
}

/** Shows the action for an open request: on its day the link can be passed on, later its supervisor can be reminded. */
function OpenRequest({ id, isOfToday, hasFocus }: { id: number; isOfToday: boolean; hasFocus: boolean }) {
  const path = `/requests/${id}`;
  return isOfToday ? (
    <a href={path} autoFocus={hasFocus}>
      Show link
    </a>
  ) : (
    <button type="submit" className="second" formMethod="post" formAction={`${path}/remind`} autoFocus={hasFocus}>
      Remind
    </button>
  );
}

function Since({ now, at, timeZone }: { now: Date; at: Date; timeZone: string }) {
  const day = toCalendarDate(timeZone, at);
  return (
    <>
      {"Requested "}
      <time dateTime={day} title={formatDate(day)}>
        {formatDaysAgo(timeZone, now, at)}
      </time>
    </>
  );
}

/** The most of a reason that a log shows. The record's page has all of it. */
const REASON_MAX = 120;

/** Shows which supervisor declined a record last, and their reason. */
export function Declined({ by, reason }: Decline) {
  const characters = [...(reason ?? "")];
  return (
    <>
      Declined by <bdi>{by ?? "a supervisor"}</bdi>
      {reason && (
        <>
          {": "}
          <bdi>{characters.length > REASON_MAX ? `${characters.slice(0, REASON_MAX).join("")}…` : reason}</bdi>
        </>
      )}
    </>
  );
}
