import { counted } from "#app/ui/counted.ts";
import { LISTED_MAX } from "./import-form.ts";
import { ROWS_MAX } from "./parse-table.ts";
import type { PreviewPage } from "./preview-page.server.ts";
import { NOT_A_METHOD, type Problem } from "./read-records.ts";

/** How many rows of one problem are named. */
const NAMED_MAX = 5;

/** What is wrong with which rows and column: the same problem of many rows once. */
export function PreviewProblems({ view: { errors, isReadable } }: { view: PreviewPage }) {
  // Words for methods have a list of their own, in which they can be chosen.
  const problems = groupsOf(errors.filter(({ message }) => !message.endsWith(NOT_A_METHOD)));
  if (problems.length === 0 || !isReadable) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      <p className="hint">
        These rows are left out. Correct them in your file and upload it again, or log them by hand.
      </p>
      <ul className="results">
        {problems.slice(0, LISTED_MAX).map(({ rows, column, message }) => (
          <li key={`${rows[0]} ${column} ${message}`}>
            <b>
              {rowNames(rows)}
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
      {problems.length > LISTED_MAX && (
        <p>
          And {errors.length >= ROWS_MAX && "at least "}
          {counted(problems.length - LISTED_MAX, "more problem")}.
        </p>
      )}
    </section>
  );
}

function groupsOf(errors: readonly Problem[]) {
  const groups = new Map<string, { rows: number[]; column: string; message: string }>();
  for (const { row, column, message } of errors) {
    const key = `${column}\n${message}`;
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { rows: [row], column, message });
  }
  return [...groups.values()];
}

/** `Row 4`, `Rows 4, 5, 6` or `Rows 4, 5, 6, 7, 8 and 20 more`. */
function rowNames(rows: readonly number[]): string {
  if (rows.length === 1) return `Row ${rows[0]}`;
  const named = `Rows ${rows.slice(0, NAMED_MAX).join(", ")}`;
  return rows.length > NAMED_MAX ? `${named} and ${(rows.length - NAMED_MAX).toLocaleString("en")} more` : named;
}
