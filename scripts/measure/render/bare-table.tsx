import { METHODS } from "#app/db/enumerations.ts";
import { formatDate } from "#app/hours/calendar-date.ts";
import type { Entry, MethodTotal } from "#app/hours/entries.server.ts";
import { formatHours, toHundredths } from "#app/hours/hours.ts";
import { methodLabel, methodName } from "#app/hours/methods.ts";

/** The log of /profile (app/hours/entry-log.tsx) as one would write it first: every cell of it an element. */
export function BareTable({ entries, totals }: { entries: Entry[]; totals: MethodTotal[] }) {
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <table className="log">
      <thead>
        <tr>
          <th>Job Date</th>
          <th>Job Location</th>
          {METHODS.map((method) => (
            <th key={method} data-tip={methodName(method)}>
              {methodLabel(method)}
            </th>
          ))}
          <th>Supervisor Signature</th>
        </tr>
      </thead>
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
            <td>
              {verified ? (
                `Verified by ${verifiedBy}`
              ) : (
                <button name="request" value={id} type="submit">
                  Request Verification
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th>Total Hours:</th>
          <td />
          {METHODS.map((method) => (
            <td key={method}>{formatHours(totalOf.get(method) ?? 0)}</td>
          ))}
          <td />
        </tr>
      </tfoot>
    </table>
  );
}
