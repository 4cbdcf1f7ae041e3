import type { Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { Alert } from "#app/ui/alert.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
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
  const { id, isReadable, dateOrder, ambiguous, errors } = view;
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
        {!isReadable && dateOrder !== null && <p className="notice waiting">{errors[0]?.message}</p>}
        {dateOrder === null && (
          <p className="notice waiting">
            Which comes first, the day or the month? “{ambiguous}” can be read in several ways.
          </p>
        )}
        {/* What is asked comes first: on a phone the settings of all columns are several screens. */}
        <PreviewPeople view={view} />
        <PreviewMethods view={view} />
        <PreviewColumns view={view} />
        <PreviewProblems view={view} />
        <PreviewDuplicates kind={kind} view={view} />
        <PreviewRows kind={kind} view={view} />
        <Alert message={message} />
        <div className="save">
          <button type="submit" formAction={`/import/${id}/apply`} data-busy="Importing...">
            {/* Without a number, which would be wrong as soon as something is chosen: the summary above has it. */}
            Import
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

function Summary({ view }: { view: PreviewPage }) {
  const { count, ready, wrong, skip, totals, others, open, isReadable } = view;
  return (
    <ul>
      <li>{counted(count, "row")} found.</li>
      <li>
        <b>{counted(ready, "record")}</b> ready to import. Nothing is saved yet.
      </li>
      <Sums view={view} />
      {totals.length > 0 && (
        <li>
          {totals.length === 1
            ? `Row ${totals[0]} is a total: no hours of its own.`
            : `${counted(totals.length, "row")} with totals: no hours of their own.`}
        </li>
      )}
      {others > 0 && <li>{counted(others, "row")} of other people: left out.</li>}
      {open > 0 && (
        <li className="wrong">
          <a href="#words">{counted(open, "word")} for methods to choose</a>
        </li>
      )}
      {wrong > 0 && (
        <li className="wrong">
          {isReadable
            ? `${counted(wrong, "row")} with a problem: left out.`
            : `${counted(wrong, "row")} cannot be read before each column is chosen.`}
        </li>
      )}
      {skip.length > 0 && <li>{counted(skip.length, "row")} skipped.</li>}
      <LongDays view={view} />
    </ul>
  );
}

/** How many long days are named. */
const DAYS_NAMED = 5;

/** The days that have more than 24 hours with these records. A warning: such hours can be right. */
function LongDays({ view: { longDays } }: { view: PreviewPage }) {
  if (longDays.length === 0) return null;
  const named = longDays
    .slice(0, DAYS_NAMED)
    .map(({ date, hundredths }) => `${formatDate(date)}, ${formatHours(hundredths)} hours`);
  const more = longDays.length - named.length;
  return (
    <li className="wrong">
      More than 24 hours on one day: {named.join("; ")}
      {more > 0 && ` and ${counted(more, "more day")}`}. They are imported all the same.
    </li>
  );
}

/** The hours of the records, by method, beside the total that the file states. */
function Sums({ view: { ready, sums, totals } }: { view: PreviewPage }) {
  const { total, stated, method } = sums;
  if (ready === 0) return null;
  const methods = Object.entries(method).map(([code, hours]) => `${methodLabel(code as Method)} ${shown(hours)}`);
  const more = stated === null ? 0 : toHundredths(total) - toHundredths(stated);
  return (
    <>
      <li>
        <b>{shown(total)} hours</b>
        {methods.length > 1 && `: ${methods.join(", ")}`}
        {stated !== null && more === 0 && `. The file’s own total is the same.`}
      </li>
      {stated !== null && more !== 0 && (
        <li className="wrong">
          The file’s own total{totals.length === 1 && ` (row ${totals[0]})`} is {shown(stated)} hours:{" "}
          {shown(Math.abs(more) / 100)} {more < 0 ? "more" : "less"} than these records.
        </li>
      )}
    </>
  );
}

function shown(hours: number): string {
  return formatHours(toHundredths(hours));
}
