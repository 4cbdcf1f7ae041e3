import { type Kind, kindNamed, type ShownRecord } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { targetLabel, targetsOf } from "./columns.ts";
import { counted } from "./counted.ts";
import { LISTED_MAX } from "./import-form.ts";
import type { ImportView } from "./import-view.server.ts";
import type { PreviewPage } from "./preview-page.server.ts";
import { DATE_ORDERS, type DateOrder } from "./read-date.ts";

interface PreviewScreenProps {
  view: PreviewPage;
  message: string | undefined;
}

const ORDERS: Record<DateOrder, string> = {
  ymd: "Year, month, day",
  dmy: "Day, month, year",
  mdy: "Month, day, year",
};

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
        <Columns view={view} />
        <Problems view={view} />
        <Duplicates kind={kind} view={view} />
        <Rows kind={kind} view={view} />
        <Alert message={message} />
        <div className="save">
          <button type="submit" formAction={`/import/${id}/apply`} disabled={ready === 0} data-busy="Importing...">
            Import {counted(ready, "record")}
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

function Summary({ view: { count, ready, errors, skip } }: { view: ImportView }) {
  const wrong = new Set(errors.map(({ row }) => row)).size;
  return (
    <ul>
      <li>{counted(count, "row")} found.</li>
      <li>
        <b>{counted(ready, "record")}</b> ready to import. Nothing is saved yet.
      </li>
      {wrong > 0 && <li className="wrong">{counted(wrong, "row")} with a problem: left out.</li>}
      {skip.length > 0 && <li>{counted(skip.length, "row")} skipped.</li>}
    </ul>
  );
}

function Columns({ view: { kind, columns, mapping, dateOrder, rows } }: { view: ImportView }) {
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <div className="import-columns">
        <div className="field">
          <label htmlFor="order">Dates are</label>
          <select
            id="order"
            name="dateOrder"
            defaultValue={dateOrder ?? ""}
            aria-invalid={dateOrder === null || undefined}
          >
            {dateOrder === null && <option value="">Choose…</option>}
            {DATE_ORDERS.map((order) => (
              <option key={order} value={order}>
                {ORDERS[order]}
              </option>
            ))}
          </select>
        </div>
        {columns.map((name, index) => {
          const example = rows.map(({ cells }) => cells[index] ?? "").find((cell) => cell.trim() !== "");
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have the same name
            <div className="field" key={index}>
              <label htmlFor={`column-${index}`} dir="auto">
                {name || `Column ${index + 1}`}
              </label>
              <select id={`column-${index}`} name={`choices[${index}].target`} defaultValue={mapping[index] ?? ""}>
                <option value="">Ignored</option>
                {targetsOf(kind).map((target) => (
                  <option key={target} value={target}>
                    {targetLabel(target)}
                  </option>
                ))}
              </select>
              {example && (
                <p className="hint" dir="auto">
                  {example}
                </p>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Problems({ view: { errors } }: { view: ImportView }) {
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      <p className="hint">
        These rows are left out. Correct them in your file and upload it again, or log them by hand.
      </p>
      <ul className="results">
        {errors.slice(0, LISTED_MAX).map(({ row, column, message }) => (
          <li key={`${row} ${column} ${message}`}>
            <b>
              Row {row}
              {column && (
                <>
                  , <bdi>{column}</bdi>
                </>
              )}
            </b>
            <p dir="auto">{message}</p>
          </li>
        ))}
      </ul>
      {errors.length > LISTED_MAX && <p>And {counted(errors.length - LISTED_MAX, "more problem")}.</p>}
    </section>
  );
}

function Duplicates({ kind, view: { duplicates, duplicated, skip } }: { kind: Kind; view: PreviewPage }) {
  if (duplicates.length === 0) return null;
  const skipped = new Set(skip);
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates">Already logged</h2>
      <p className="hint">
        These rows equal a record in your log, or an earlier row. Take the mark away to import one all the same.
      </p>
      <fieldset className="import-skips">
        {duplicates.slice(0, LISTED_MAX).map((row, index) => (
          <label key={row} className="row">
            <input type="checkbox" name={`choices[${index}].skip`} value={row} defaultChecked={skipped.has(row)} />
            <span>
              Skip row {row}
              {duplicated[index]?.map((record) => (
                <span key={kind.groupOf(record as ShownRecord)} className="hint">
                  {" "}
                  {kind.summary(record as ShownRecord)}
                </span>
              ))}
            </span>
          </label>
        ))}
      </fieldset>
      {duplicates.length > LISTED_MAX && (
        <p>And {counted(duplicates.length - LISTED_MAX, "more row")}, skipped unless changed by the API.</p>
      )}
    </section>
  );
}

function Rows({ kind, view: { rows, count, skip } }: { kind: Kind; view: ImportView }) {
  const shown = rows.flatMap(({ row, records }) => records.map((record) => ({ row, record: record as ShownRecord })));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="rows">
      <header className="head">
        <h2 id="rows">How the rows are read</h2>
        {count > rows.length && <span className="hint">the first {rows.length}</span>}
      </header>
      <table className="list">
        <thead>
          <tr>
            {kind.fields.map(({ label }) => (
              <th key={label} className={label === "Hours" ? "number" : undefined}>
                {label}
              </th>
            ))}
            <th>Row</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, record }) => (
            <tr key={`${row} ${kind.groupOf(record)}`}>
              {kind.fields.map((field) => {
                const value = field.value(record);
                return (
                  <td key={field.label} className={"hours" in value ? "number" : undefined} dir="auto">
                    <Value of={value} />
                  </td>
                );
              })}
              <td className="hint">{skip.includes(row) ? `Row ${row}, skipped` : `Row ${row}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
