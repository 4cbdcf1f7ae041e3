import { Fragment, type ReactNode } from "react";
import { METHODS } from "#app/db/enumerations.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { LogPage, LogRow } from "#app/records/log-page.server.ts";
import { RecordLog } from "#app/records/record-log.tsx";
import { StateCell } from "#app/records/status-cell.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { formatDate, formatMonth } from "#app/ui/calendar-date.ts";
import { BROUGHT_FORWARD } from "./brought-forward.ts";
import type { MethodTotal } from "./entries.server.ts";
import { entryKind } from "./entry.kind.ts";
import type { Entry } from "./entry.schema.ts";
import { methodLabel, methodName } from "./methods.ts";

interface EntryLogProps {
  page: LogPage<Entry>;
  /** Of all the user's entries, including those on other pages. */
  totals: MethodTotal[];
  /** Of the entries that match the filter, or null without a filter. */
  filteredTotals: MethodTotal[] | null;
}

/** Experience Hours (OJT) Log (spec section 2). On narrow screens the style sheet shows each row as a card. */
export function EntryLog({ page, totals, filteredTotals }: EntryLogProps) {
  if (totals.length === 0) {
    return <p className="empty">Nothing logged yet. Enter your first job in the form above.</p>;
  }
  return (
    <RecordLog kind={entryKind} page={page}>
      <LogTable totals={totals} filteredTotals={filteredTotals}>
        <tbody>
          <MonthRows entries={page.records} />
        </tbody>
      </LogTable>
      <p className="legend">Verified Entry</p>
      <ViaLegend records={page.records} />
    </RecordLog>
  );
}

interface LogTableProps extends Pick<EntryLogProps, "totals" | "filteredTotals"> {
  children: ReactNode;
}

function LogTable({ totals, filteredTotals, children }: LogTableProps) {
  return (
    <table className="list log">
      <thead>
        <tr>
          <th>Job Date</th>
          <th>Job Location</th>
          {METHODS.map((method) => (
            <th key={method} className="method-column" data-tip={methodName(method)}>
              {methodLabel(method)}
            </th>
          ))}
          <th className="sign">Supervisor Signature</th>
        </tr>
      </thead>
      {children}
      <tfoot>
        {filteredTotals && <TotalRow label="Hours shown by the filter:" totals={filteredTotals} />}
        <TotalRow label="Total Hours:" totals={totals} />
      </tfoot>
    </table>
  );
}

function TotalRow({ label, totals }: { label: string; totals: MethodTotal[] }) {
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <tr>
      <th colSpan={2}>{label}</th>
      {METHODS.map((method) => (
        <td key={method} data-label={methodLabel(method)}>
          {formatHours(totalOf.get(method) ?? 0)}
        </td>
      ))}
      <td className="sum">{`${formatHours(totals.reduce((sum, { hundredths }) => sum + hundredths, 0))} in all`}</td>
    </tr>
  );
}

/** The rows of a page, each month under its name. */
function MonthRows({ entries }: { entries: LogRow<Entry>[] }) {
  return entries.map((entry, index) => {
    const month = entry.date.slice(0, 7);
    return (
      <Fragment key={entry.id}>
        {entries[index - 1]?.date.slice(0, 7) !== month && (
          <tr className="month">
            <th colSpan={METHODS.length + 3} scope="rowgroup">
              {formatMonth(entry.date)}
            </th>
          </tr>
        )}
        <EntryRow entry={entry} />
      </Fragment>
    );
  });
}

/** A row has an empty cell for each of the other methods. On a card all of it leads to the record (list.css). */
function EntryRow({ entry }: { entry: LogRow<Entry> }) {
  const { id, date, location, method, hours, broughtForward, status, verifiedBy, verifiedVia } = entry;
  return (
    <tr className={status}>
      <td>
        <a href={`/profile/record/${id}`}>
          <time dateTime={date}>{formatDate(date)}</time>
        </a>
      </td>
      <td className="place">
        {location}
        {broughtForward && <span className="hint">{` ${BROUGHT_FORWARD}`}</span>}
      </td>
      {METHODS.map((column) =>
        column === method ? (
          <td key={column} data-label={methodLabel(column)}>
            {formatHours(toHundredths(hours))}
          </td>
        ) : (
          <td key={column} />
        ),
      )}
      <StateCell status={status} verifiedBy={verifiedBy} verifiedVia={verifiedVia}>
        <button name="request" value={id} type="submit" className="second">
          Request Verification
        </button>
      </StateCell>
    </tr>
  );
}
