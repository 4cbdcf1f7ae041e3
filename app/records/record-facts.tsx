import { methodLabel } from "#app/records/entry/methods.ts";
import { formatDate, formatInstant } from "#app/ui/calendar-date.ts";
import type { VerifiableRecord } from "#app/verification/record.ts";
import { formatHours, toHundredths } from "./hours.ts";

/** What a record says, as a list of facts. */
export function RecordFacts({ record }: { record: VerifiableRecord }) {
  const { name, employeeNumber } = record.user;
  const { location, hours } = record.type === "entry" ? record.entry : record.ropeHour;
  return (
    <dl className="facts">
      {name && <Fact term="Technician">{name}</Fact>}
      {employeeNumber && <Fact term="Employee Number">{employeeNumber}</Fact>}
      {record.type === "entry" ? (
        <Fact term="Job Date">
          <CalendarDate date={record.entry.date} />
        </Fact>
      ) : (
        <Fact term="Period">
          <CalendarDate date={record.ropeHour.startDate} /> to <CalendarDate date={record.ropeHour.endDate} />
        </Fact>
      )}
      <Fact term="Job Location">{location}</Fact>
      {record.type === "entry" ? (
        <Fact term="NDT Method">{methodLabel(record.entry.method)}</Fact>
      ) : (
        <Fact term="Skills">{record.ropeHour.skills}</Fact>
      )}
      <Fact term="Hours">
        <b className="hours">{formatHours(toHundredths(hours))}</b>
      </Fact>
    </dl>
  );
}

/** A moment as the reader's clock shows it. */
export function Instant({ at, timeZone }: { at: Date; timeZone: string }) {
  return <time dateTime={at.toISOString()}>{formatInstant(timeZone, at)}</time>;
}

/** One term of a list of facts. */
export function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CalendarDate({ date }: { date: string }) {
  return <time dateTime={date}>{formatDate(date)}</time>;
}
