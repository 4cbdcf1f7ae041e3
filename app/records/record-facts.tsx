import type { ReactNode } from "react";
import { formatDate, formatDay, formatInstant } from "#app/ui/calendar-date.ts";
import { shownDetails } from "./details.ts";
import { formatHours, toHundredths } from "./hours.ts";
import type { FieldValue, Kind, ShownRecord } from "./kind.ts";

/** A record in a list of records of all kinds: its date, its hours, and the values between. */
interface RecordLine {
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

interface RecordFactsProps {
  kind: Kind;
  record: ShownRecord;
  /** Left out if the reader is the owner. */
  owner?: { name: string | null; employeeNumber: string | null };
  /** More facts about the owner. */
  children?: ReactNode;
  /** Whether dates have their weekday. */
  weekdays?: boolean;
}

export function RecordFacts({ kind, record, owner, children, weekdays = false }: RecordFactsProps) {
  return (
    <dl className="facts">
      {owner?.name && <Fact term="Technician">{owner.name}</Fact>}
      {owner?.employeeNumber && <Fact term="Employee Number">{owner.employeeNumber}</Fact>}
      {children}
      {kind.shown.map((field) => {
        const value = field.value(record);
        return (
          <Fact key={field.label} term={field.label}>
            <ShownValue of={value} weekdays={weekdays} />
          </Fact>
        );
      })}
      {shownDetails(kind.details, record.details).map(({ label, typed }) => (
        <Fact key={label} term={label}>
          <span className="text" dir="auto">
            {typed}
          </span>
        </Fact>
      ))}
    </dl>
  );
}

/** A value on a record's own page: hours are large, and a method is on its plate. */
function ShownValue({ of: value, weekdays }: { of: FieldValue; weekdays: boolean }) {
  const shown = <Value of={value} weekdays={weekdays} />;
  if ("hours" in value) return <b className="hours">{shown}</b>;
  return "text" in value ? <span className="plate">{shown}</span> : shown;
}

export function Value({ of: value, weekdays = false }: { of: FieldValue; weekdays?: boolean }): ReactNode {
  if ("typed" in value) return value.typed;
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  const [first = "", last] = value.dates;
  return (
    <>
      <CalendarDay date={first} weekday={weekdays} />
      {last && (
        <>
          {" to "}
          <CalendarDay date={last} weekday={weekdays} />
        </>
      )}
      {value.mark && <span className="hint">{` ${value.mark}`}</span>}
    </>
  );
}

/** A line with typed text in it. Without an isolation Arabic text would reorder the hours behind it. */
export function lineWith(before: string, typed: string, after: string): ReactNode {
  return (
    <>
      {before}
      <bdi>{typed}</bdi>
      {after}
    </>
  );
}

/** A time in the reader's time zone. */
export function Instant({ at, timeZone }: { at: Date; timeZone: string }) {
  return <time dateTime={at.toISOString()}>{formatInstant(timeZone, at)}</time>;
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A calendar date, `YYYY-MM-DD`. */
export function CalendarDay({ date, weekday = false }: { date: string; weekday?: boolean }) {
  return <time dateTime={date}>{weekday ? formatDay(date) : formatDate(date)}</time>;
}
