import { formatInstant } from "#app/calendar-date.ts";
import { FORMS } from "#app/pdf/forms.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { countRecords } from "#app/records/kind.ts";
import { Instant } from "#app/records/record-facts.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ListedExport } from "./own-exports.server.ts";

/** The technician's exports as a table; on narrow screens the style sheet shows the rows as cards. */
export function ExportList({ exports, timeZone }: { exports: ListedExport[]; timeZone: string }) {
  if (exports.length === 0) {
    return (
      <p>
        Each form of verified hours that you export is listed here, with how often its code was checked. You export a
        form from your <a href="/profile">OJT Hours</a>.
      </p>
    );
  }
  return (
    <table className="list">
      <thead>
        <tr>
          <th>Form</th>
          <th>Made</th>
          <th>Checked</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {exports.map((listed) => (
          <Row key={listed.id} listed={listed} timeZone={timeZone} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ listed, timeZone }: { listed: ListedExport; timeZone: string }) {
  const { id, form, part, code, madeAt, checks, checkedAt, closedAt } = listed;
  return (
    <tr>
      <td>
        {code ? <a href={`${FORMS[form].log}/print/${id}`}>{formOf(listed)}</a> : formOf(listed)}
        {part && <p>{part}</p>}
        {code && <p className="hint">{code}</p>}
      </td>
      <td>
        Made <Instant at={madeAt} timeZone={timeZone} />
      </td>
      <td>
        {countChecks(checks)}
        {checkedAt && (
          <>
            {", last "}
            <Instant at={checkedAt} timeZone={timeZone} />
          </>
        )}
      </td>
      <td className="full">
        {closedAt ? (
          <>
            Closed <Instant at={closedAt} timeZone={timeZone} />
          </>
        ) : (
          <form action={`/account/exports/${id}`}>
            <button
              type="submit"
              className="second"
              aria-label={`Close the export of ${formatInstant(timeZone, madeAt)}`}
            >
              Close
            </button>
          </form>
        )}
      </td>
    </tr>
  );
}

/** What an export is of: `Experience Hours (OJT), 62 records, 471.5 h`. */
function formOf({ form, records, hours }: ListedExport): string {
  return `${FORMS[form].title}, ${countRecords(records)}, ${formatHours(toHundredths(hours))} h`;
}

function countChecks(checks: number): string {
  if (checks === 0) return "Not checked yet";
  return checks === 1 ? "Checked once" : `Checked ${checks.toLocaleString("en")} times`;
}

/** Asks before an export is closed. */
export function CloseExportDialog({ listed, timeZone }: { listed: ListedExport; timeZone: string }) {
  const { id, part, code, madeAt, closedAt } = listed;
  return (
    <Dialog title="Close export" closeHref="/account">
      <p>
        {`${formOf(listed)}, made `}
        <Instant at={madeAt} timeZone={timeZone} />
        {code && (
          <>
            {", code "}
            <b>{code}</b>
          </>
        )}
      </p>
      {part && <p>{part}.</p>}
      {closedAt ? (
        <p>
          It was closed <Instant at={closedAt} timeZone={timeZone} />.
        </p>
      ) : (
        <p>
          A check of the code on the paper will only say that you closed it. The list of hours behind the code is
          deleted, and the code cannot be opened again. Your records stay as they are.
        </p>
      )}
      <form method="post" action={`/account/exports/${id}`} className="row">
        <a href="/account">{closedAt ? "Back to the account" : "Cancel"}</a>
        {!closedAt && (
          <button type="submit" className="danger" data-busy="Closing...">
            Close export
          </button>
        )}
      </form>
    </Dialog>
  );
}
