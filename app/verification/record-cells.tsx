import { kindNamed } from "#app/records/all-kinds.ts";
import { shownDetails } from "#app/records/details.ts";
import { formatHours } from "#app/records/hours.ts";
import { hundredthsOf, isExperience, shownValues } from "#app/records/kind.ts";
import { Value } from "#app/records/record-facts.tsx";
import type { VerifiableRecord } from "./record.ts";

interface RecordCellsProps {
  id?: string;
  record: VerifiableRecord;
}

/** Shows the values that identify a record in a list: its date, its group, its hours, and the other typed values. */
export function RecordCells({ id, record }: RecordCellsProps) {
  const kind = kindNamed(record.kind);
  const [date] = shownValues(kind, record.record);
  return (
    <>
      <div className="what" id={id}>
        {date && (
          <span className="hint">
            <Value of={date.value} weekdays />
          </span>
        )}
        <GroupAndHours record={record} />
      </div>
      <RecordTexts record={record} />
    </>
  );
}

/** The group of a record on its plate, such as its method, and its hours. */
export function GroupAndHours({ record: { kind, record } }: RecordCellsProps) {
  const hundredths = hundredthsOf(record);
  return (
    <>
      <span className="plate">{kindNamed(kind).groupOf(record)}</span>{" "}
      {hundredths !== null && <b>{formatHours(hundredths)}</b>}
    </>
  );
}

interface RecordTextsProps {
  record: VerifiableRecord;
  /** The place and the labels of the details that the page shows elsewhere. */
  place?: string | null;
  elsewhere?: readonly string[];
}

/** Shows the other values that were typed about a record, a line each. */
export function RecordTexts({ record: { kind: name, record }, place = null, elsewhere = [] }: RecordTextsProps) {
  const kind = kindNamed(name);
  const [, ...values] = shownValues(kind, record);
  const plate = kind.groupOf(record);
  return (
    <>
      {values.map(({ label, value }) => {
        if ("hours" in value || ("text" in value && value.text === plate)) return null;
        if ("typed" in value && value.typed === place && record.location === place) return null;
        return (
          <p key={label} dir={"typed" in value ? "auto" : undefined}>
            {!isExperience(kind) && <span className="hint">{label}: </span>}
            <Value of={value} />
          </p>
        );
      })}
      {shownDetails(kind.details, record.details)
        .filter(({ label }) => !elsewhere.includes(label))
        .map(({ label, typed }) => (
          <p key={label} dir="auto">
            <span className="hint">{label}:</span> {typed}
          </p>
        ))}
    </>
  );
}
