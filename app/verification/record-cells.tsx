import { shownDetails } from "#app/records/details.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import type { FieldValue } from "#app/records/kind.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { Value } from "#app/records/record-facts.tsx";
import type { VerifiableRecord } from "./record.ts";

interface RecordCellsProps {
  id?: string;
  record: VerifiableRecord;
  /** What a supervisor should know of it. */
  notes?: string[];
}

/** What identifies a record in a list: its date, its group, its hours, and what else was typed. */
export function RecordCells({ id, record: { kind: name, record }, notes = [] }: RecordCellsProps) {
  const kind = kindNamed(name);
  const [date, ...others] = kind.shown.map(({ value }) => value(record));
  return (
    <>
      <div className="what" id={id}>
        {date && (
          <span className="hint">
            <Value of={date} weekdays />
          </span>
        )}
        <span className="plate">{kind.groupOf(record)}</span>
        <b>{formatHours(toHundredths(record.hours))}</b>
      </div>
      {others.filter(isTyped).map(({ typed }, index) => (
        <p key={index.toString()}>{typed}</p>
      ))}
      {shownDetails(kind.details, record.details).map(({ label, typed }) => (
        <p key={label} dir="auto">
          <span className="hint">{label}:</span> {typed}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note}>
          <strong>{note}</strong>
        </p>
      ))}
    </>
  );
}

function isTyped(value: FieldValue): value is { typed: string } {
  return "typed" in value;
}
