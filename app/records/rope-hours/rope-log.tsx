import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { LogPage, LogRow } from "#app/records/log-page.server.ts";
import { RecordLog } from "#app/records/record-log.tsx";
import { StateCell } from "#app/records/status-cell.tsx";
import { ViaLegend } from "#app/records/via.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import { ropeHoursKind } from "./rope-hours.kind.ts";
import type { RopeHours } from "./rope-hours.schema.ts";

interface RopeLogProps {
  page: LogPage<RopeHours>;
  /** Whether the user has no rope hours: an unfiltered first page is empty. */
  isEmpty: boolean;
}

/** The history of rope hours. On narrow screens the style sheet shows each row as a card. */
export function RopeLog({ page, isEmpty }: RopeLogProps) {
  if (isEmpty) {
    return <p className="empty">Nothing logged yet. Enter your first rope hours in the form above.</p>;
  }
  return (
    <RecordLog kind={ropeHoursKind} page={page}>
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
          {page.records.map((record) => (
            <RopeRow key={record.id} record={record} />
          ))}
        </tbody>
      </table>
      <ViaLegend records={page.records} />
    </RecordLog>
  );
}

function RopeRow({ record }: { record: LogRow<RopeHours> }) {
  const { id, startDate, endDate, location, skills, hours, status, verifiedBy, verifiedVia } = record;
  return (
    <tr className={status}>
      <td>
        <a href={`/rope-hours/record/${id}`}>
          <time dateTime={startDate}>{formatDate(startDate)}</time> to{" "}
          <time dateTime={endDate}>{formatDate(endDate)}</time>
        </a>
      </td>
      <td className="place">{location}</td>
      <td className="text full">{skills}</td>
      <td className="number">{formatHours(toHundredths(hours))}</td>
      <StateCell status={status} verifiedBy={verifiedBy} verifiedVia={verifiedVia}>
        <button name="request" value={id} type="submit" className="second">
          Request Verification
        </button>
      </StateCell>
    </tr>
  );
}
