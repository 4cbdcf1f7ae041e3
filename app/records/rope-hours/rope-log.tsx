import { formatHours, toHundredths } from "#app/records/hours.ts";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { RopeHours } from "./rope-hours.table.ts";

interface RopeLogProps {
  /** Newest first. */
  records: RopeHours[];
  /** Where the older records are, if there are any. */
  olderHref: string | null;
  /** Whether this is the log from its beginning, and not an older part of it. */
  isFirst: boolean;
}

/**
 * The history of rope hours: a table, which the style sheet lays out as cards where it cannot fit. The one form around
 * it makes each Request Verification a button that opens the dialog by its address.
 */
export function RopeLog({ records, olderHref, isFirst }: RopeLogProps) {
  if (records.length === 0 && isFirst) {
    return <p className="empty">Nothing logged yet. Your first days on the rope go into the form above.</p>;
  }
  return (
    <form action="/rope-hours">
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
      {olderHref && (
        <p>
          <a href={olderHref}>Older rope hours</a>
        </p>
      )}
    </form>
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
