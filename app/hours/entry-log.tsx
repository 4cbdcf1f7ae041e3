import { METHODS } from "#app/db/enumerations.ts";
import { formatDate } from "./calendar-date.ts";
import type { Entry, MethodTotal } from "./entries.server.ts";
import { formatHours, toHundredths } from "./hours.ts";
import { methodLabel, methodName } from "./methods.ts";

interface EntryLogProps {
  /** Newest first. */
  entries: Entry[];
  /** Of all the person's entries, also of those not shown. */
  totals: MethodTotal[];
  /** Where the older entries are, if there are any. */
  olderHref: string | null;
}

/**
 * Experience Hours (OJT) Log (spec section 2). One table for every screen: where it cannot fit, the style sheet lays
 * each row out as a card, so nothing is in the page twice. The one form around it makes each Request Verification a
 * button that opens the dialog by its address.
 */
export function EntryLog({ entries, totals, olderHref }: EntryLogProps) {
  if (entries.length === 0 && totals.length === 0) {
    return <p className="empty">Nothing logged yet. Your first job goes into the form above.</p>;
  }
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <form action="/profile">
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
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>Total Hours:</th>
            <td />
            {METHODS.map((method) => (
              <td key={method} className={totalOf.has(method) ? undefined : "zero"}>
                {formatHours(totalOf.get(method) ?? 0)}
              </td>
            ))}
            <td />
          </tr>
        </tfoot>
      </table>
      <p className="legend">Verified Entry</p>
      {olderHref && (
        <p>
          <a href={olderHref}>Older entries</a>
        </p>
      )}
    </form>
  );
}

function EntryRow({ entry: { id, date, location, method, hours, verified, verifiedBy } }: { entry: Entry }) {
  return (
    <tr>
      <td>
        <a href={`/profile/record/${id}`}>
          <time dateTime={date}>{formatDate(date)}</time>
        </a>
      </td>
      <td>{location}</td>
      {METHODS.map((code) => (
        <td key={code}>{code === method && formatHours(toHundredths(hours))}</td>
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
  );
}
