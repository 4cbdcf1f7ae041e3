import type { CheckedRecord } from "#app/proof/check.server.ts";
import { confirmedText, dayOfConfirmation, evidenceTexts } from "#app/records/evidence.ts";
import { formatHours } from "#app/records/hours.ts";
import { hundredthsOf, shownValues } from "#app/records/kind.ts";
import { type Kind, kindNamed, type ShownRecord } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import { formatDate, formatInstant } from "#app/ui/calendar-date.ts";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import { countRecords } from "#app/verification/record.ts";
import { SumsTable } from "#app/verification/sums-table.tsx";
import type { CheckPage } from "./check-page.server.ts";
import type { RecordState } from "./check-state.server.ts";

interface CheckedRowProps {
  kind: Kind;
  record: CheckedRecord;
  /** The technician whom the form names. */
  name: string;
  /** From 1: a record that is not unchanged can be linked to. */
  place: number;
}

/** A record as it is printed, and what became of it. */
function CheckedRow({ kind, record, name, place }: CheckedRowProps) {
  const { content, supervisor, via, domain, state, at, confirmed, confirmedOn } = record;
  const confirmation = confirmed
    ? confirmedText(confirmed.domain, dayOfConfirmation(confirmed.at))
    : confirmedOn && confirmedText(domain, confirmedOn);
  const printed = content as unknown as ShownRecord; // the fields of its kind, which are all that a value needs
  const values = shownValues(kind, printed).map(({ value }) => value);
  const isUnchanged = state === "unchanged";
  return (
    <li className={isUnchanged ? undefined : "gone"} id={isUnchanged ? undefined : `r${place}`}>
      <span>{values[0] && <Value of={values[0]} />}</span>
      {kind.groups.length > 1 && <span className="plate">{kind.groupOf(printed)}</span>}
      <b>{formatHours(hundredthsOf(printed) ?? 0)}</b>
      {values.map(
        (value) =>
          "typed" in value && (
            <p key={value.typed} dir="auto">
              {value.typed}
            </p>
          ),
      )}
      <p className={isUnchanged ? "verified state" : "by"}>
        <span>
          <bdi>{supervisor}</bdi>
          {via && <i className={`${via} via`} role="img" aria-label={`by ${via}`} />}
          {confirmation ?? domain}
        </span>
      </p>
      {evidenceTexts(record, supervisor, name).map((text) => (
        <p key={text} className="noted" dir="auto">
          {text}
        </p>
      ))}
      {!isUnchanged && (
        <p className="now">
          <State of="declined">
            {at ? `${STATES[state]} on ${formatDate(at.toISOString().slice(0, 10))}` : STATES[state]}
          </State>
        </p>
      )}
    </li>
  );
}

const STATES: Record<Exclude<RecordState, "unchanged">, string> = {
  changed: "Changed since",
  disowned: "Disowned",
  deleted: "Deleted since",
};

/**
 * What was exported under a code: the totals and the verdict on all records first, then a page of the records as printed and
 * what became of each, changed ones first.
 */
export function CheckScreen({ check }: { check: CheckPage }) {
  const { kind, code, madeAt, name, count, hundredths, isSealed, states, page, pages, start, records } = check;
  return (
    <PublicLayout wide>
      <div className="check">
        <header className="lead">
          <p className="hint">
            Form <b className="code">{code}</b>
          </p>
          <h1>
            <bdi>{name}</bdi>
            {`, ${formatHours(hundredths)} verified hours in ${countRecords(count)}`}
          </h1>
          <ul className="verdict">
            <li>
              <State of="verified">
                Made here on <time dateTime={madeAt.toISOString()}>{formatInstant("UTC", madeAt)}</time>
              </State>
            </li>
            <Verdict check={check} />
          </ul>
          {isSealed ? (
            <p className="hint">Compare this page with the paper: first the name and the totals, then each line.</p>
          ) : (
            <p>
              What is stored of this form was altered after it was made. Below is what is stored now, which may not be
              what was printed: check the paper by its signed statement.
            </p>
          )}
        </header>
        <TotalsSection check={check} />
        <section className="records">
          <header className="head">
            <h2>Records</h2>
            <span className="hint">
              {states.unchanged === count ? "oldest first" : "changed ones first, then the oldest"}
            </span>
          </header>
          <ol className={hasPlates(kind) ? undefined : "plain"}>
            {records.map(({ record, place }) => (
              <CheckedRow key={record.recordId} kind={kindNamed(kind)} record={record} name={name} place={place} />
            ))}
          </ol>
          {pages > 1 && (
            <p className="hint">
              {`${start + 1} to ${start + records.length} of ${count.toLocaleString("en")}. `}
              {page > 1 && <a href={`?page=${page - 1}`}>Previous page</a>}{" "}
              {page < pages && <a href={`?page=${page + 1}`}>Next page</a>}
            </p>
          )}
        </section>
      </div>
    </PublicLayout>
  );
}

/** Whether the kind has several groups, such as NDT methods, which are then shown at each record. */
function hasPlates(kind: string): boolean {
  return kindNamed(kind).groups.length > 1;
}

/** What became of records, and the words for one and for several. */
const CHANGES: [state: RecordState, one: string, several: string][] = [
  ["changed", "record was changed since.", "records were changed since."],
  ["disowned", "record was disowned by its supervisor since.", "records were disowned by their supervisors since."],
  ["deleted", "record was deleted since.", "records were deleted since."],
];

/** Whether every record is unchanged, or how many are not, with a link to the first. */
function Verdict({ check: { states, firsts, count } }: { check: CheckPage }) {
  const { unchanged } = states;
  return (
    <>
      {unchanged > 0 && (
        <li>
          <State of="verified">
            {unchanged === count
              ? "Every record is unchanged"
              : `${countRecords(unchanged)} ${unchanged === 1 ? "is" : "are"} unchanged`}
          </State>
        </li>
      )}
      {CHANGES.filter(([state]) => states[state] > 0).map(([state, one, several]) => (
        <li key={state}>
          <State of="declined">
            {`${states[state]} ${states[state] === 1 ? one : several} `}
            <a href={firsts[state]}>{states[state] === 1 ? "Show it" : "Show the first"}</a>
          </State>
        </li>
      ))}
    </>
  );
}

/** Whose hours they are, the sums, and what the marks beside the supervisors mean. */
function TotalsSection({ check: { name, employeeNumber, isSealed, sums, vias } }: { check: CheckPage }) {
  return (
    <section className="by-method">
      <h2>{isSealed ? "Totals on the form" : "Totals as stored now"}</h2>
      <dl className="facts">
        <div>
          <dt>Name</dt>
          <dd>
            <b dir="auto">{name}</b>
          </dd>
        </div>
        {employeeNumber && (
          <div>
            <dt>Employee #</dt>
            <dd>
              <b dir="auto">{employeeNumber}</b>
            </dd>
          </div>
        )}
      </dl>
      <SumsTable sums={sums} />
      <ul className="key">
        {vias.includes("mailbox") && (
          <li className="mailbox via">verified through the supervisor’s mailbox, with its domain</li>
        )}
        {vias.includes("link") && <li className="link via">verified through a link</li>}
      </ul>
    </section>
  );
}
