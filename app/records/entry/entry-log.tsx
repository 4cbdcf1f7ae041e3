import type { ReactNode } from "react";
import { METHODS } from "#app/db/enumerations.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { LogPage } from "#app/records/log-page.server.ts";
import { RecordLog } from "#app/records/record-log.tsx";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { MethodTotal } from "./entries.server.ts";
import { entryKind } from "./entry.kind.ts";
import type { Entry } from "./entry.table.ts";
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
          {page.records.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </LogTable>
      <p className="legend">Verified Entry</p>
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
          <th className="date-column">Job Date</th>
          <th className="location-column">Job Location</th>
          {METHODS.map((method) => (
            <th key={method} className="method-column" data-tip={methodName(method)}>
              {methodLabel(method)}
            </th>
          ))}
          <th className="supervisor-column">Supervisor Signature</th>
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
      <th>{label}</th>
      <td />
      {METHODS.map((method) => (
        <td key={method} data-label={methodLabel(method)} className={totalOf.has(method) ? undefined : "zero"}>
          {formatHours(totalOf.get(method) ?? 0)}
        </td>
      ))}
      <td />
    </tr>
  );
}

/** The cells of the other methods stay empty. A card links to the record as a whole (entry-log.css). */
function EntryRow({ entry: { id, date, location, method, hours, verified, verifiedBy } }: { entry: Entry }) {
  return (
    <tr>
      <td>
        <time dateTime={date}>{formatDate(date)}</time>
      </td>
      <td>{location}</td>
      {METHODS.map((column) =>
        column === method ? (
          <td key={column} data-label={methodLabel(column)}>
            <a href={`/profile/record/${id}`}>{formatHours(toHundredths(hours))}</a>
          </td>
        ) : (
          <td key={column} />
        ),
      )}
      <StateCell verified={verified} verifiedBy={verifiedBy}>
        <button name="request" value={id} type="submit">
          Request Verification
        </button>
      </StateCell>
    </tr>
  );
}
