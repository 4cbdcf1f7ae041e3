import type { Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { Alert } from "#app/ui/alert.tsx";
import { counted } from "#app/ui/counted.ts";
import { PreviewColumns } from "./preview-columns.tsx";
import { PreviewDuplicates } from "./preview-duplicates.tsx";
import type { PreviewPage } from "./preview-page.server.ts";
import { PreviewProblems } from "./preview-problems.tsx";
import { PreviewRows } from "./preview-rows.tsx";
import { PreviewMethods, PreviewPeople } from "./preview-words.tsx";

interface PreviewScreenProps {
  view: PreviewPage;
  message: string | undefined;
}

/** What an import would save, what is wrong with it, and what can be changed. Works without script. */
export function PreviewScreen({ view, message }: PreviewScreenProps) {
  const { id, ready, dateOrder, ambiguous } = view;
  const kind = kindNamed(view.kind);
  return (
    <>
      <section>
        <h1>Check the import</h1>
        <Summary view={view} />
      </section>
      <form method="post" action={`/import/${id}`} className="import" noValidate>
        <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
          Update preview
        </button>
        {dateOrder === null && (
          <p className="notice waiting">
            Which comes first, the day or the month? “{ambiguous}” can be read in several ways.
          </p>
        )}
        <PreviewColumns view={view} />
        <PreviewPeople view={view} />
        <PreviewMethods view={view} />
        <PreviewProblems view={view} />
        <PreviewDuplicates kind={kind} view={view} />
        <PreviewRows kind={kind} view={view} />
        <Alert message={message} />
        <div className="save">
          <button type="submit" formAction={`/import/${id}/apply`} data-busy="Importing...">
            {ready > 0 ? `Import ${counted(ready, "record")}` : "Import"}
          </button>
          <button type="submit" className="second" data-busy="Updating...">
            Update preview
          </button>
        </div>
      </form>
      <form method="post" action={`/import/${id}/undo`} className="row">
        <button type="submit" className="quiet" data-busy="Discarding...">
          Discard this upload
        </button>
        <a href="/import">Upload something else</a>
      </form>
    </>
  );
}

function Summary({ view: { count, ready, wrong, skip, sums } }: { view: PreviewPage }) {
  return (
    <ul>
      <li>{counted(count, "row")} found.</li>
      <li>
        <b>{counted(ready, "record")}</b> ready to import. Nothing is saved yet.
      </li>
      {ready > 0 && (
        <li>
          <b>{`${shownHours(sums.total)} hours`}</b>
          {Object.keys(sums.method).length > 1 &&
            `: ${Object.entries(sums.method)
              .map(([method, hours]) => `${methodLabel(method as Method)} ${shownHours(hours)}`)
              .join(", ")}`}
          {sums.stated !== null &&
            (sums.stated === sums.total
              ? ". The file has the same total."
              : `. The file’s own total is ${shownHours(sums.stated)}.`)}
        </li>
      )}
      {wrong > 0 && <li className="wrong">{counted(wrong, "row")} with a problem: left out.</li>}
      {skip.length > 0 && <li>{counted(skip.length, "row")} skipped.</li>}
    </ul>
  );
}

function shownHours(hours: number): string {
  return formatHours(toHundredths(hours));
}
