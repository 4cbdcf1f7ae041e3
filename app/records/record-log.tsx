import type { ReactNode } from "react";
import type { Status } from "#app/db/enumerations.ts";
import { hasField, type Kind } from "./kind.ts";
import { isFiltering, logHref } from "./log-filter.ts";
import { LogFilterForm } from "./log-filter-form.tsx";
import type { LogPage } from "./log-page.server.ts";

interface RecordLogProps {
  kind: Kind;
  page: LogPage<{ id: number; status: Status }>;
  /** The table of this page's records. */
  children: ReactNode;
}

/**
 * The parts around the table of every kind: the filter, and the links to newer and older records. The form around the
 * table makes each Request Verification button open the dialog by its URL, over the same page of the log.
 */
export function RecordLog({ kind, page: { records, filter, params, newerHref, olderHref }, children }: RecordLogProps) {
  const { many } = kind.adminTexts;
  return (
    <>
      <LogFilterForm path={kind.path} filter={filter} hasMethods={hasField(kind, "method")} />
      {records.some(({ status }) => status === "pending") && (
        <a href={logHref("/requests/new", { all: "1", kind: kind.name, ...filter })}>
          Request verification for all pending
        </a>
      )}
      <form action={kind.path}>
        <LogParamFields params={params} />
        {children}
        {records.length === 0 && (
          <p className="empty">{isFiltering(filter) ? `No ${many} match this filter.` : `No ${many} here.`}</p>
        )}
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

export function LogParamFields({ params }: { params: Record<string, string> }) {
  return Object.entries(params).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
