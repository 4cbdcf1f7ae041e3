import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { counted } from "#app/ui/counted.ts";
import type { ImportView } from "./import-view.server.ts";

/* What the words of a file mean: whose rows they are, and the methods that the app does not know by that word. */

export function PreviewPeople({ view: { people, person } }: { view: ImportView }) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people">
      <h2 id="people">Several people</h2>
      <p className="hint">The rows of one person are imported, as your own.</p>
      <div className="import-columns">
        <div className="field">
          <label htmlFor="person">Whose rows are these?</label>
          <select id="person" name="person" defaultValue={person ?? ""} aria-invalid={person === null || undefined}>
            {person === null && <option value="">Choose…</option>}
            {people.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      </div>
    </section>
  );
}

export function PreviewMethods({ view: { values, unknown } }: { view: ImportView }) {
  if (unknown.method.length === 0) return null;
  return (
    <section aria-labelledby="words">
      <h2 id="words">Words for methods</h2>
      <p className="hint">
        Choose the method that each word means. With a second one, each of them gets half of the hours. Rows with a word
        that means nothing are left out.
      </p>
      <div className="import-columns">
        {unknown.method.map(({ word, rows }, index) => {
          const [one = "", two = ""] = [values.method[word] ?? []].flat();
          const id = `word-${index}`;
          return (
            <div className="field" key={word}>
              <label htmlFor={id} dir="auto">
                {word} <span className="hint">{counted(rows, "row")}</span>
              </label>
              <input type="hidden" name={`choices[${index}].word`} value={word} />
              <select id={id} name={`choices[${index}].one`} defaultValue={one}>
                <option value="">Left out</option>
                <MethodOptions />
              </select>
              <select name={`choices[${index}].two`} defaultValue={two} aria-label={`${word}, second method`}>
                <option value="">No second method</option>
                <MethodOptions />
              </select>
            </div>
          );
        })}
      </div>
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
