import type { ReactNode } from "react";
import { formatDate, formatDay, formatInstant, shortDay, wordsBefore } from "#app/calendar-date.ts";
import { filledText, shownDetails } from "./details.ts";
import { formatHours, toHundredths } from "./hours.ts";
import { type FieldValue, hundredthsOf, isExperience, type Kind, type ShownRecord, shownValues } from "./kind.ts";

/** A record in a list of records of all kinds: its date, its hours, and the values between. */
interface RecordLine {
  when: FieldValue;
  /** In hundredths; null for a kind without hours. */
  hundredths: number | null;
  /** The label that the app gives, such as a method: at most one. */
  label: FieldValue | undefined;
  /** The values that the technician typed. */
  typed: FieldValue[];
}

export function recordLine(kind: Kind, record: ShownRecord): RecordLine {
  const [when = { text: "" }, ...others] = shownValues(kind, record).map(({ value }) => value);
  const plate = kind.plate(record);
  return {
    when,
    hundredths: hundredthsOf(record),
    label: plate === null ? undefined : { text: plate },
    typed: others.filter((value) => "typed" in value),
  };
}

/** A record in a few words, as the heading of its own page: `8.0 hours ET, 12 Nov 2026`. */
export function RecordTitle({ kind, record }: { kind: Kind; record: ShownRecord }) {
  const {
    when,
    hundredths,
    label,
    typed: [title],
  } = recordLine(kind, record);
  const method = isExperience(kind) && label && "text" in label ? label.text : null;
  const amount =
    hundredths !== null && method ? `${formatHours(hundredths)} hours ${method}` : amountText(kind, record);
  return (
    <>
      {hundredths === null && title ? <Value of={title} /> : amount}
      {", "}
      <Value of={when} />
    </>
  );
}

/** A record by its hours, or by what it is without any: `8.0 OJT hours`, `near vision test`. */
export function amountText(kind: Kind, record: ShownRecord): string {
  const hundredths = hundredthsOf(record);
  const noun = kind.noun(record);
  return hundredths === null ? noun : `${formatHours(hundredths)} ${noun}`;
}

/** Shows the values that the technician typed about a record, one after the other. */
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
  const filled = filledText(kind.details, record.details);
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
        {filled && <p className="hint">{filled}</p>}
      </div>
      {label && (
        <span className="plate">
          <Value of={label} />
        </span>
      )}{" "}
      {hundredths !== null && (
        <b>
          {formatHours(hundredths)}
          <span className="unseen"> hours</span>
        </b>
      )}
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
      {shownValues(kind, record).map(({ label, value }) => (
        <Fact key={label} term={label}>
          <ShownValue of={value} plate={kind.plate(record)} weekdays={weekdays} />
        </Fact>
      ))}
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
function ShownValue({ of: value, plate, weekdays }: { of: FieldValue; plate: string | null; weekdays: boolean }) {
  const shown = <Value of={value} weekdays={weekdays} />;
  if ("hours" in value) return <b className="hours">{shown}</b>;
  return "text" in value && value.text === plate ? <span className="plate">{shown}</span> : shown;
}

interface ValueProps {
  of: FieldValue;
  weekdays?: boolean;
  /** How many words of a date with its weekday are shown (`shortDay`), if not all. */
  words?: number | undefined;
}

export function Value({ of: value, weekdays = false, words }: ValueProps): ReactNode {
  if ("typed" in value) return value.typed;
  if ("text" in value) return value.text;
  if ("hours" in value) return formatHours(toHundredths(value.hours));
  const [first = "", last] = value.dates;
  return (
    <>
      <CalendarDay date={first} weekday={weekdays} words={words} />
      {last && (
        <>
          {" to "}
          <CalendarDay date={last} weekday={weekdays} words={words} />
        </>
      )}
      {value.mark && <span className="hint">{` ${value.mark}`}</span>}
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

interface CalendarDayProps {
  date: string;
  weekday?: boolean;
  /** How many words of a date with its weekday are shown (`shortDay`), if not all. */
  words?: number | undefined;
}

/** A calendar date, `YYYY-MM-DD`. */
export function CalendarDay({ date, weekday = false, words }: CalendarDayProps) {
  const text = weekday ? formatDay(date) : formatDate(date);
  return <time dateTime={date}>{words === undefined ? text : shortDay(date, words)}</time>;
}

/** Shows from which day to which day. The parts that both share are shown once: `Fri 20 to Fri 27 Nov 2026`. */
export function Days({ first, last }: { first: string; last: string }) {
  return (
    <>
      {last !== first && (
        <>
          <CalendarDay date={first} weekday words={wordsBefore(first, last)} />
          {" to "}
        </>
      )}
      <CalendarDay date={last} weekday />
    </>
  );
}
