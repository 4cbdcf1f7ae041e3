import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import { counted } from "#app/ui/counted.ts";
import { LISTED_MAX } from "./import-form.ts";
import type { PreviewPage } from "./preview-page.server.ts";

/** The rows that are in the log already, with a box for each of the first ones and one box for all others. */
export function PreviewDuplicates({ kind, view: { duplicates, duplicated, skip } }: { kind: Kind; view: PreviewPage }) {
  if (duplicates.length === 0) return null;
  const skipped = new Set(skip);
  const others = duplicates.slice(LISTED_MAX);
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
        {others.length > 0 && (
          <label className="row">
            <input type="checkbox" name="skipOthers" defaultChecked={others.some((row) => skipped.has(row))} />
            <span>Skip the other {counted(others.length, "row")}</span>
          </label>
        )}
      </fieldset>
    </section>
  );
}
