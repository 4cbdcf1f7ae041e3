import { kindNamed } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { formatHours } from "#app/records/hours.ts";
import { hundredthsOf, isExperience, shownValues } from "#app/records/kind.ts";
import { Value } from "#app/records/record-facts.tsx";
import { State } from "#app/ui/page.tsx";
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
  const [date, ...others] = shownValues(kind, record);
  const hundredths = hundredthsOf(record);
  const plate = kind.groupOf(record);
  return (
    <>
      <div className="what" id={id}>
        {date && (
          <span className="hint">
            <Value of={date.value} weekdays />
          </span>
        )}
        <span className="plate">{plate}</span>
        {hundredths !== null && <b>{formatHours(hundredths)}</b>}
      </div>
      {others.map(({ label, value }) => {
        if ("hours" in value || ("text" in value && value.text === plate)) return null;
        return (
          <p key={label} dir={"typed" in value ? "auto" : undefined}>
            {!isExperience(kind) && <span className="hint">{label}: </span>}
            <Value of={value} />
          </p>
        );
      })}
      {shownDetails(kind.details, record.details).map(({ label, typed }) => (
        <p key={label} dir="auto">
          <span className="hint">{label}:</span> {typed}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note}>
          <State of="look">{note}</State>
        </p>
      ))}
    </>
  );
}
