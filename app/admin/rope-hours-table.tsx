import { formatHours, toHundredths } from "#app/records/hours.ts";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import { DeleteCell, OwnerCell } from "./cells.tsx";
import type { OwnedRopeHours } from "./lists.server.ts";

/** Everybody's rope hours, a row each; where a table cannot fit, the style sheet lays them out as cards. */
export function RopeHoursTable({ ropeHours }: { ropeHours: OwnedRopeHours[] }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Start Date</th>
          <th>End Date</th>
          <th>Technician</th>
          <th>Location</th>
          <th>Skills</th>
          <th className="number">Hours</th>
          <th>Supervisor Signature</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {ropeHours.map(({ id, startDate, endDate, location, skills, hours, verified, verifiedBy, user }) => (
          <tr key={id}>
            <td>
              <a className="main-link" href={`/admin/rope-hours/${id}`}>
                <time dateTime={startDate}>{formatDate(startDate)}</time>
              </a>
            </td>
            <td>
              <time dateTime={endDate}>{formatDate(endDate)}</time>
            </td>
            <OwnerCell tab="rope-hours" user={user} />
            <td>{location}</td>
            <td>{skills}</td>
            <td className="number">{formatHours(toHundredths(hours))}</td>
            <StateCell verified={verified} verifiedBy={verifiedBy} />
            <DeleteCell id={id} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
