import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import type { PreviewPage } from "./preview-page.server.ts";

/** The records that the first rows describe. */
export function PreviewRows({ kind, view: { rows, count, totals, others, skip } }: { kind: Kind; view: PreviewPage }) {
  const shown = rows.flatMap(({ row, records }) => records.map((record) => ({ row, record: record as ShownRecord })));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="rows">
      <header className="head">
        <h2 id="rows">How the rows are read</h2>
        {count - totals.length - others > rows.length && <span className="hint">the first {rows.length}</span>}
      </header>
      <table className="list">
        <thead>
          <tr>
            {kind.shown.map(({ label }) => (
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
              {kind.shown.map((field) => {
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
