import { confirmedText, dayOfConfirmation, evidenceTexts } from "#app/records/evidence.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { Kind, ShownRecord } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import { formatDate } from "#app/ui/calendar-date.ts";
import { State } from "#app/ui/state.tsx";
import type { CheckedRecord } from "./check.server.ts";
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
export function CheckedRow({ kind, record, name, place }: CheckedRowProps) {
  const { content, supervisor, via, domain, state, at, confirmed, confirmedOn } = record;
  const confirmation = confirmed
    ? confirmedText(confirmed.domain, dayOfConfirmation(confirmed.at))
    : confirmedOn && confirmedText(domain, confirmedOn);
  const printed = content as unknown as ShownRecord; // the fields of its kind, which are all that a value needs
  const values = kind.shown.map(({ value }) => value(printed));
  const isUnchanged = state === "unchanged";
  return (
    <li className={isUnchanged ? undefined : "gone"} id={isUnchanged ? undefined : `r${place}`}>
      <span>{values[0] && <Value of={values[0]} />}</span>
      {kind.groups.length > 1 && <span className="plate">{kind.groupOf(printed)}</span>}
      <b>{formatHours(toHundredths(printed.hours))}</b>
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
