import { formatHours } from "./hours.ts";
import type { Kind, ShownRecord } from "./kind.ts";
import { Value } from "./record-facts.tsx";
import { recordLine } from "./record-line.tsx";

/** The record that a dialog is about: when and where, and at the right its method on a plate and its hours. */
export function RecordBrief({ kind, record }: { kind: Kind; record: ShownRecord }) {
  const { when, hundredths, label, typed } = recordLine(kind, record);
  return (
    <div className="brief">
      <div>
        <p>
          <Value of={when} />
        </p>
        {typed.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values of one record have an order and nothing else
          <p key={index} dir="auto" className="text">
            <Value of={value} />
          </p>
        ))}
      </div>
      {label && (
        <span className="plate">
          <Value of={label} />
        </span>
      )}{" "}
      <b>
        {formatHours(hundredths)}
        <span className="unseen"> hours</span>
      </b>
    </div>
  );
}
