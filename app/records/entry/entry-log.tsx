import type { ReactNode } from "react";
import { METHODS } from "#app/db/enumerations.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import { escapeHtml } from "#app/ui/escape-html.ts";
import type { Entry, MethodTotal } from "./entries.server.ts";
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
  return (
    <form action="/profile">
      <LogTable totals={totals}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the rows below escape what a person typed */}
        <tbody dangerouslySetInnerHTML={{ __html: entries.map(rowOf).join("") }} />
      </LogTable>
      <p className="legend">Verified Entry</p>
      {olderHref && (
        <p>
          <a href={olderHref}>Older entries</a>
        </p>
      )}
    </form>
  );
}

/** The log's table around its rows, the form's own columns and totals: `npm run measure` holds other rows against ours. */
export function LogTable({ totals, children }: { totals: MethodTotal[]; children: ReactNode }) {
  const totalOf = new Map(totals.map(({ method, hundredths }) => [method, hundredths]));
  return (
    <table className="list log">
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
      {children}
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
  );
}

/** The cells before the hours of each method, theirs too, and the empty ones behind. */
const AROUND = new Map(
  METHODS.map((method, index) => [
    method,
    ["<td>".repeat(index + 1), "<td>".repeat(METHODS.length - index - 1)] as const,
  ]),
);

/**
 * A row, as text: five hundred of them are most of the page, and as elements most of the time that it takes
 * (docs/decisions/0029-rows-as-text.md). Tags that HTML lets be understood are left out, and the link to the record is
 * where it costs least, beside other digits; on a card all of it leads there (app/signed-in.css). The state's cell says
 * the state in its class and in words, as `StateCell` does.
 */
function rowOf({ id, date, location, method, hours, verified, verifiedBy }: Entry): string {
  const [before, behind] = AROUND.get(method) ?? ["", ""];
  const state = verified
    ? `<td class=ok>Verified by ${escapeHtml(verifiedBy ?? "")}`
    : `<td class=wait>Pending\u2002<button name=request value=${id}>Request Verification</button>`;
  return (
    `<tr><td><time datetime=${date}>${formatDate(date)}</time><td>${escapeHtml(location)}` +
    `${before}<a href=/profile/record/${id}>${formatHours(toHundredths(hours))}</a>${behind}${state}`
  );
}
