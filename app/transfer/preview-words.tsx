import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { counted } from "#app/ui/counted.ts";
import type { ImportView } from "./import-view.server.ts";
import type { PreviewPage } from "./preview-page.server.ts";
import { meaningOf } from "./read-records.ts";

/* What the words of a file mean: whose rows they are, and the methods that the app does not know by that word. */

export function PreviewPeople({ view: { people, person } }: { view: ImportView }) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people">
      <h2 id="people">Several people</h2>
      <p className="hint">
        The rows of one of them are imported, as your own hours. If these are not people, set their column to Ignored.
      </p>
      <div className="import-columns">
        <div className="field">
          <label htmlFor="person">Whose rows are these?</label>
          <select id="person" name="person" defaultValue={person ?? ""} aria-invalid={person === null || undefined}>
            {person === null && <option value="">Choose…</option>}
            {people.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
    </section>
  );
}

export function PreviewMethods({ view: { values, unknown, words } }: { view: PreviewPage }) {
  if (words === 0) return null;
  const more = words - unknown.method.length;
  return (
    <section aria-labelledby="words">
      <h2 id="words">Words for methods</h2>
      <p className="hint">
        Choose what each word means. With two methods, each gets half of the hours of the row. Rows with a word that
        means nothing are left out.
      </p>
      <ul className="import-words">
        {unknown.method.map(({ word, rows }, index) => {
          const meaning = meaningOf(values.method, word) ?? [];
          const [one = "", two = ""] = typeof meaning === "string" ? [meaning] : meaning;
          const id = `word-${index}`;
          return (
            <li className="field" key={word}>
              <label htmlFor={id}>
                <bdi>{word}</bdi> <span className="hint">in {counted(rows, "row")}</span>
              </label>
              <input type="hidden" name={`choices[${index}].word`} value={word} />
              <div className="row">
                <select
                  id={id}
                  name={`choices[${index}].one`}
                  defaultValue={one}
                  aria-invalid={one === "" || undefined}
                >
                  <option value="">Left out</option>
                  <MethodOptions />
                </select>
                <span aria-hidden="true">and</span>
                <select name={`choices[${index}].two`} defaultValue={two} aria-label={`${word}: second method`}>
                  <option value="">No other</option>
                  <MethodOptions />
                </select>
              </div>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p>And {counted(more, "more word")}: is this the column of the methods?</p>}
    </section>
  );
}

function MethodOptions() {
  return METHODS.map((method) => (
    <option key={method} value={method}>
      {methodLabel(method)}
    </option>
  ));
}
