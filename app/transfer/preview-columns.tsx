import { kindNamed } from "#app/records/kinds.ts";
import { targetLabel, targetsOf } from "./columns.ts";
import type { ImportView } from "./import-view.server.ts";
import { DATE_ORDERS, type DateOrder } from "./read-date.ts";

const ORDERS: Record<DateOrder, string> = {
  ymd: "Year, month, day",
  dmy: "Day, month, year",
  mdy: "Month, day, year",
};

/** What each column means and the order of its dates, to be changed. */
export function PreviewColumns({ view: { kind, columns, mapping, dateOrder, rows } }: { view: ImportView }) {
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
                {targetsOf(kindNamed(kind)).map((target) => (
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
