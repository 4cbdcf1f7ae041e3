import { counted } from "#app/ui/counted.ts";
import { LISTED_MAX } from "./import-form.ts";
import type { ImportView } from "./import-view.server.ts";
import { ROWS_MAX } from "./parse-table.ts";

/** What is wrong with which row and column. */
export function PreviewProblems({ view: { errors } }: { view: ImportView }) {
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
      {errors.length > LISTED_MAX && (
        <p>
          And {errors.length >= ROWS_MAX && "at least "}
          {counted(errors.length - LISTED_MAX, "more problem")}.
        </p>
      )}
    </section>
  );
}
