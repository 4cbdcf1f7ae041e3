import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import { DeleteCell, OwnerCell } from "./cells.tsx";
import type { OwnedEntry } from "./lists.server.ts";

/** Everybody's entries, a row each; where a table cannot fit, the style sheet lays them out as cards. */
export function EntryTable({ entries }: { entries: OwnedEntry[] }) {
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Job Date</th>
          <th>Technician</th>
          <th>Job Location</th>
          <th>NDT Method</th>
          <th className="number">Hours</th>
          <th>Supervisor Signature</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, date, location, method, hours, verified, verifiedBy, user }) => (
          <tr key={id}>
            <td>
              <a className="main-link" href={`/admin/entry/${id}`}>
                <time dateTime={date}>{formatDate(date)}</time>
              </a>
            </td>
            <OwnerCell tab="entries" user={user} />
            <td>{location}</td>
            <td>{methodLabel(method)}</td>
            <td className="number">{formatHours(toHundredths(hours))}</td>
            <StateCell verified={verified} verifiedBy={verifiedBy} />
            <DeleteCell id={id} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
