import { formatHours, toHundredths } from "./hours.ts";
import type { FieldValue, Kind, ShownRecord } from "./kind.ts";
import { Value } from "./record-facts.tsx";

/** A record in a list of records of all kinds: its date, its hours, and the values between. */
export interface RecordLine {
  when: FieldValue;
  /** In hundredths. */
  hundredths: number;
  /** Of the app, such as a method: at most one. */
  label: FieldValue | undefined;
  /** What the technician typed. */
  typed: FieldValue[];
}

export function recordLine(kind: Kind, record: ShownRecord): RecordLine {
  const [when = { text: "" }, ...others] = kind.shown.map((field) => field.value(record));
  return {
    when,
    hundredths: toHundredths(record.hours),
    label: others.find((value) => "text" in value),
    typed: others.filter((value) => "typed" in value),
  };
}

/** A record in a few words, as the heading of its own page: `8.0 hours ET, 12 Nov 2026`. */
export function RecordTitle({ kind, record }: { kind: Kind; record: ShownRecord }) {
  const { when, hundredths, label } = recordLine(kind, record);
  const hours = formatHours(hundredths);
  return (
    <>
      {label && "text" in label ? `${hours} hours ${label.text}, ` : `${hours} ${kind.texts.hours} hours, `}
      <Value of={when} />
    </>
  );
}

/** What the technician typed about a record, one value after the other. */
export function TypedValues({ of: values }: { of: FieldValue[] }) {
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the values of one record have an order and nothing else
    <span key={index} dir="auto">
      <Value of={value} />
    </span>
  ));
}
