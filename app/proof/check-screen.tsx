import { formatHours, toHundredths } from "#app/records/hours.ts";
import { kindNamed, type ShownRecord } from "#app/records/kinds.ts";
import { formatInstant } from "#app/ui/calendar-date.ts";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import { countRecords } from "#app/verification/record.ts";
import { sumsByGroup } from "#app/verification/sums.ts";
import { SumsTable } from "#app/verification/sums-table.tsx";
import type { CheckedRecord, ShownExport } from "./check.server.ts";
import type { RecordState } from "./check-state.server.ts";
import { CheckedRow } from "./checked-row.tsx";

/** How many records a page shows at first: they fit into one TCP window (docs/measure.md). */
const SHOWN_MAX = 500;

interface CheckScreenProps {
  shown: ShownExport;
  /** Whether all records are shown, however many. */
  showsAll: boolean;
}

/** What was exported under a code: the totals first, then each record as printed and what became of it. */
export function CheckScreen({ shown, showsAll }: CheckScreenProps) {
  const { code, madeAt, name, records } = shown;
  const total = records.reduce((sum, { content }) => sum + toHundredths(Number(content.hours)), 0);
  const list = showsAll ? records : records.slice(0, SHOWN_MAX);
  return (
    <PublicLayout wide>
      <div className="check">
        <header className="lead">
          <p className="hint">
            Form <b className="code">{code}</b>
          </p>
          <h1>
            <bdi>{name}</bdi>
            {`, ${formatHours(total)} verified hours in ${countRecords(records.length)}`}
          </h1>
          <ul className="verdict">
            <li>
              <State of="verified">
                Made here on <time dateTime={madeAt.toISOString()}>{`${formatInstant("UTC", madeAt)} UTC`}</time>
              </State>
            </li>
            <Verdict records={records} shown={list.length} />
          </ul>
          <p className="hint">Compare this page with the paper: first the name and the totals, then each line.</p>
        </header>
        <TotalsSection shown={shown} />
        <section className="records">
          <header className="head">
            <h2>Records</h2>
            <span className="hint">oldest first</span>
          </header>
          <ol className={hasPlates(shown) ? undefined : "plain"}>
            {list.map((record, index) => (
              <CheckedRow
                key={record.recordId}
                kind={kindNamed(shown.kind)}
                record={record}
                name={name}
                place={index + 1}
              />
            ))}
          </ol>
          {list.length < records.length && (
            <p className="hint">
              {`1 to ${SHOWN_MAX} of ${records.length.toLocaleString("en")}. `}
              <a href="?all">Show all</a>
            </p>
          )}
        </section>
      </div>
    </PublicLayout>
  );
}

/** Whether the kind has several groups, such as NDT methods, which are then shown at each record. */
function hasPlates({ kind }: ShownExport): boolean {
  return kindNamed(kind).groups.length > 1;
}

/** What became of records, and the words for one and for several. */
const CHANGES: [state: RecordState, one: string, several: string][] = [
  ["changed", "record was changed since.", "records were changed since."],
  ["disowned", "record was disowned by its supervisor since.", "records were disowned by their supervisors since."],
  ["deleted", "record was deleted since.", "records were deleted since."],
];

/** Whether every record is unchanged, or how many are not, with a link to the first. `shown`: how many are on the page. */
function Verdict({ records, shown }: { records: CheckedRecord[]; shown: number }) {
  const count = (state: RecordState) => records.filter((record) => record.state === state).length;
  const unchanged = count("unchanged");
  return (
    <>
      {unchanged > 0 && (
        <li>
          <State of="verified">
            {unchanged === records.length
              ? "Every record is unchanged"
              : `${countRecords(unchanged)} ${unchanged === 1 ? "is" : "are"} unchanged`}
          </State>
        </li>
      )}
      {CHANGES.filter(([state]) => count(state) > 0).map(([state, one, several]) => {
        const place = records.findIndex((record) => record.state === state) + 1;
        return (
          <li key={state}>
            <State of="declined">
              {`${count(state)} ${count(state) === 1 ? one : several} `}
              <a href={`${place > shown ? "?all" : ""}#r${place}`}>
                {count(state) === 1 ? "Show it" : "Show the first"}
              </a>
            </State>
          </li>
        );
      })}
    </>
  );
}

/** Whose hours they are, the sums, and what the marks beside the supervisors mean. */
function TotalsSection({ shown: { kind, name, employeeNumber, records } }: { shown: ShownExport }) {
  // The sums need only the fields of the kind.
  const sums = sumsByGroup(records.map(({ content }) => ({ kind, record: content as unknown as ShownRecord })));
  const vias = new Set(records.map(({ via }) => via));
  return (
    <section className="by-method">
      <h2>Totals on the form</h2>
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
        {vias.has("mailbox") && (
          <li className="mailbox via">verified through the supervisor’s mailbox, with its domain</li>
        )}
        {vias.has("link") && <li className="link via">verified through a link</li>}
      </ul>
    </section>
  );
}
