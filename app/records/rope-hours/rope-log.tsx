import { formatHours, toHundredths } from "#app/records/hours.ts";
import { isFiltering } from "#app/records/log-filter.ts";
import { LogFilterForm } from "#app/records/log-filter-form.tsx";
import type { LogPage } from "#app/records/log-page.server.ts";
import { LogPager } from "#app/records/log-pager.tsx";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import { ropeHoursKind } from "./rope-hours.kind.ts";
import type { RopeHours } from "./rope-hours.table.ts";

interface RopeLogProps {
  page: LogPage<RopeHours>;
  /** Whether the technician has no rope hours at all, as far as an unfiltered first page tells. */
  isEmpty: boolean;
}

/**
 * The history of rope hours: a table, which the style sheet lays out as cards where it cannot fit. The form around it
 * makes each Request Verification a button that opens the dialog by its URL.
 */
export function RopeLog({ page: { records, filter, newerHref, olderHref }, isEmpty }: RopeLogProps) {
  if (isEmpty) {
    return <p className="empty">Nothing logged yet. Enter your first rope hours in the form above.</p>;
  }
  return (
    <>
      <LogFilterForm kind={ropeHoursKind} filter={filter} />
      <form action={ropeHoursKind.path}>
        <table className="list">
          <thead>
            <tr>
              <th>Period</th>
              <th>Location</th>
              <th>Skills</th>
              <th className="number">Hours</th>
              <th>Supervisor Signature</th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <RopeRow key={record.id} record={record} />
            ))}
          </tbody>
        </table>
        {records.length === 0 && (
          <p className="empty">{isFiltering(filter) ? "No rope hours match this filter." : "No rope hours here."}</p>
        )}
        <LogPager newerHref={newerHref} olderHref={olderHref} many="rope hours" />
      </form>
    </>
  );
}

function RopeRow({ record }: { record: RopeHours }) {
  const { id, startDate, endDate, location, skills, hours, verified, verifiedBy } = record;
  return (
    <tr>
      <td>
        <a className="main-link" href={`/rope-hours/record/${id}`}>
          <time dateTime={startDate}>{formatDate(startDate)}</time> to{" "}
          <time dateTime={endDate}>{formatDate(endDate)}</time>
        </a>
      </td>
      <td>{location}</td>
      <td className="text">{skills}</td>
      <td className="number">{formatHours(toHundredths(hours))}</td>
      <StateCell verified={verified} verifiedBy={verifiedBy}>
        <button name="request" value={id} type="submit">
          Request Verification
        </button>
      </StateCell>
    </tr>
  );
}
