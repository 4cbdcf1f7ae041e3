import { formatDate } from "#app/calendar-date.ts";
import type { Method } from "#app/db/enumerations.ts";
import { Options } from "#app/forms/field.tsx";
import { kindNamed } from "#app/records/all-kinds.ts";
import { METHOD_CHOICES } from "#app/records/entry/entry-rules.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { type Kind, NO_VALUE, type ShownRecord } from "#app/records/kind.ts";
import { Value } from "#app/records/record-facts.tsx";
import { meaningOf, type Problem } from "#app/transfer/file-rows.ts";
import { LISTED_MAX, NOTHING_READY } from "#app/transfer/import-form.ts";
import type { ImportView } from "#app/transfer/import-view.server.ts";
import { ROWS_MAX } from "#app/transfer/parse-table.ts";
import { type ColumnsView, PreviewColumns } from "#app/transfer/preview-columns.tsx";
import { NOT_A_METHOD } from "#app/transfer/read-cells.ts";
import { counted } from "#app/ui/counted.ts";
import { Alert } from "#app/ui/page.tsx";

/** A preview with what its page alone shows: the rows that have a box each, and what became of every row. */
export interface PreviewPage extends ColumnsView {
  /** The rows with a box each: what may be a total says why, of any other row its duplicates are shown. */
  boxes: { row: number; total: string | null; records: object[]; isPart: boolean }[];
  /** The rows that share one box. */
  moreBoxes: number[];
  /** Which records of `rows` are left out, and how many rows are as a whole. */
  leftRecords: boolean[][];
  skipped: number;
  isReadable: boolean;
  /**
   * The rows with a problem, and with no other one than a word for a method that means nothing yet; the rows that are totals,
   * by their number, and how many are of other people.
   */
  wrong: number;
  unnamed: number;
  totals: number[];
  others: number;
  /** How many words for methods are unknown, and those of them that mean nothing yet. */
  words: number;
  open: number;
  /** The days that have more than 24 hours once it is imported, with those of the log, in hundredths. */
  longDays: { date: string; hundredths: number }[];
}

/*
 * The questions about words of a file: whose rows they are, and the methods that the app does not have under that word.
 */

function PreviewPeople({ view: { people, person } }: { view: ImportView }) {
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

function PreviewMethods({ view: { values, unknown, words } }: { view: PreviewPage }) {
  if (words === 0) return null;
  const more = words - unknown.method.length;
  return (
    <section aria-labelledby="words">
      <h2 id="words">Words for methods</h2>
      <p className="hint">
        Choose what each word means; one that names a method besides other words has it already. With two methods, each
        gets half of the hours of the row. Rows with a word that means nothing are left out.
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
                  <Options choices={METHOD_CHOICES} />
                </select>
                <span aria-hidden="true">and</span>
                <select name={`choices[${index}].two`} defaultValue={two} aria-label={`${word}: second method`}>
                  <option value="">No other</option>
                  <Options choices={METHOD_CHOICES} />
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

/** How many rows of one problem are named. */
const NAMED_MAX = 5;

/** Shows the problems with their rows and column: the same problem of many rows once. */
function PreviewProblems({ view: { errors, isReadable } }: { view: PreviewPage }) {
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

/** Shows the values that were read otherwise than they are written, or not at all. */
function PreviewNotes({ view: { notes, isReadable } }: { view: PreviewPage }) {
  if (notes.length === 0 || !isReadable) return null;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Please check</h2>
      <ul className="results">
        {notes.slice(0, LISTED_MAX).map(({ column, message, rows }) => (
          <li key={`${column} ${message}`}>
            {(column || rows > 1) && (
              <b>
                <bdi>{column}</bdi>
                {rows > 1 && `${column && ", "}${counted(rows, "row")}`}
              </b>
            )}
            <p dir="auto">{message}</p>
          </li>
        ))}
      </ul>
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

/** The records that the first rows describe. */
function PreviewRows({ kind, view: { rows, count, totals, others, leftRecords } }: { kind: Kind; view: PreviewPage }) {
  const shown = rows.flatMap(({ row, records }, at) =>
    records.map((record, index) => ({ row, record: record as ShownRecord, isLeft: leftRecords[at]?.[index] })),
  );
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
          {shown.map(({ row, record, isLeft }) => (
            <tr key={`${row} ${kind.groupOf(record)}`}>
              {kind.shown.map((field) => {
                const value = field.value(record) || NO_VALUE;
                return (
                  <td key={field.label} className={"hours" in value ? "number" : undefined} dir="auto">
                    <Value of={value} />
                  </td>
                );
              })}
              <td className="hint">{isLeft ? `Row ${row}, skipped` : `Row ${row}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The rows that are left out unless their box is cleared, with one box for all after the first ones. */
function PreviewBoxes({ kind, view: { boxes, moreBoxes, skip } }: { kind: Kind; view: PreviewPage }) {
  const skipped = new Set(skip);
  const listed = boxes.map((box, index) => ({ ...box, index }));
  const rows = (some: typeof listed) =>
    some.map(({ row, total, records, isPart, index }) => (
      <label key={row} className="row">
        <input type="checkbox" name={`choices[${index}].skip`} value={row} defaultChecked={skipped.has(row)} />
        <span>
          {total ? `${total} Skip it` : isPart ? `Skip a part of row ${row}` : `Skip row ${row}`}
          {records.map((record) => (
            <span key={kind.groupOf(record as ShownRecord)} className="hint">
              {" "}
              {kind.summary(record as ShownRecord)}
            </span>
          ))}
        </span>
      </label>
    ));
  const totals = listed.filter(({ total }) => total !== null);
  const duplicates = listed.filter(({ total }) => total === null);
  const others = moreBoxes.length > 0 && (
    <label className="row">
      <input type="checkbox" name="skipOthers" defaultChecked={moreBoxes.some((row) => skipped.has(row))} />
      <span>Skip the other {counted(moreBoxes.length, "row")}</span>
    </label>
  );
  return (
    <>
      {totals.length > 0 && (
        <section aria-labelledby="totals">
          <h2 id="totals">Totals, or work?</h2>
          <p className="hint">These rows may be totals of others. Take the mark away to import one as work.</p>
          <fieldset className="import-skips">
            {rows(totals)}
            {duplicates.length === 0 && others}
          </fieldset>
        </section>
      )}
      {duplicates.length > 0 && (
        <section aria-labelledby="duplicates">
          <h2 id="duplicates">Already logged</h2>
          <p className="hint">
            These rows, or parts of them, equal a record in your log or an earlier row. Take the mark away to import one
            all the same.
          </p>
          <fieldset className="import-skips">
            {rows(duplicates)}
            {others}
          </fieldset>
        </section>
      )}
    </>
  );
}

interface PreviewScreenProps {
  view: PreviewPage;
  message: string | undefined;
}

/** Shows the records that an import would save, its problems, and the choices. Works without script. */
export function PreviewScreen({ view, message }: PreviewScreenProps) {
  const { id, ready } = view;
  const question = questionOf(view);
  const isReady = question === null && ready > 0;
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
        {question && (
          <p className="notice waiting" id="question">
            {question}
          </p>
        )}
        {/* The open questions come first: on a phone the settings of all columns are several screens. */}
        <PreviewPeople view={view} />
        <PreviewMethods view={view} />
        <PreviewColumns view={view} />
        <PreviewNotes view={view} />
        <PreviewProblems view={view} />
        <PreviewBoxes kind={kind} view={view} />
        <PreviewRows kind={kind} view={view} />
        <Alert message={message} />
        {/* The button works as soon as it is answered: what is chosen above is sent with it. */}
        {!isReady && (
          <p id="not-yet">{question ? <a href="#question">Answer the question above first</a> : NOTHING_READY}</p>
        )}
        <div className="save">
          <button
            type="submit"
            formAction={`/import/${id}/apply`}
            data-busy="Importing..."
            aria-describedby={isReady ? undefined : "not-yet"}
          >
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

/** Returns the question that must be answered before any row can be read, or null. */
function questionOf({ isReadable, dateOrder, ambiguous, errors }: PreviewPage): string | null {
  if (dateOrder === null) {
    return `Which comes first, the day or the month? “${ambiguous}” can be read in several ways.`;
  }
  return isReadable ? null : (errors[0]?.message ?? null);
}

function Summary({ view }: { view: PreviewPage }) {
  const { count, ready, wrong, unnamed, skipped, skip, possibleTotals, totals, others, open, isReadable } = view;
  const asked = possibleTotals.filter(({ row }) => skip.includes(row)).length;
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
      {asked > 0 && (
        <li className="wrong">
          <a href="#totals">{asked === 1 ? "1 row may be a total" : `${counted(asked, "row")} may be totals`}</a>: left
          out unless you clear {asked === 1 ? "its box" : "their boxes"}.
        </li>
      )}
      {others > 0 && <li>{counted(others, "row")} of other people: left out.</li>}
      {open > 0 && (
        <li className="wrong">
          <a href="#words">{counted(open, "word")} for methods to choose</a>
          {unnamed > 0 && `: ${counted(unnamed, "row")} left out until then.`}
        </li>
      )}
      {wrong > 0 && (
        <li className="wrong">
          {isReadable
            ? `${counted(wrong, "row")} with a problem: left out.`
            : `${counted(wrong, "row")} cannot be read before each column is chosen.`}
        </li>
      )}
      {skipped > 0 && <li>{counted(skipped, "row")} skipped.</li>}
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
  if (ready === 0 || (total === 0 && stated === null)) return null;
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
