import { METHODS } from "#app/db/enumerations.ts";
import type { MethodTotal } from "#app/records/entry/entries.server.ts";
import type { Entry } from "#app/records/entry/entry.table.ts";
import { LogTable } from "#app/records/entry/entry-log.tsx";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { StateCell } from "#app/records/status-cell.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";

/** The log of /profile with rows as one would write them first: every cell of them an element. */
export function BareTable({ entries, totals }: { entries: Entry[]; totals: MethodTotal[] }) {
  return (
    <LogTable totals={totals}>
      <tbody>
        {entries.map(({ id, date, location, method, hours, verified, verifiedBy }) => (
          <tr key={id}>
            <td>
              <time dateTime={date}>{formatDate(date)}</time>
            </td>
            <td>{location}</td>
            {METHODS.map((code) => (
              <td key={code}>
                {code === method && <a href={`/profile/record/${id}`}>{formatHours(toHundredths(hours))}</a>}
              </td>
            ))}
            <StateCell verified={verified} verifiedBy={verifiedBy}>
              <button name="request" value={id} type="submit">
                Request Verification
              </button>
            </StateCell>
          </tr>
        ))}
      </tbody>
    </LogTable>
  );
}
