import { formatHours } from "#app/records/hours.ts";
import { formatDate } from "#app/ui/calendar-date.ts";
import type { DayHours } from "./year-rows.ts";

interface DayTableProps {
  months: { month: string; days: DayHours[] }[];
}

/** The numbers of the calendar: a row for each day that has hours. */
export function DayTable({ months }: DayTableProps) {
  const all = months.flatMap(({ month, days }) => days.map((one) => ({ month, ...one })));
  if (all.length === 0) return null;
  const hasDeclined = all.some(({ declined }) => declined > 0);
  const cell = (hundredths: number) => <td>{hundredths > 0 ? formatHours(hundredths) : null}</td>;
  return (
    <table className="numbers" aria-label="Hours day by day">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Verified</th>
          <th scope="col">Waiting</th>
          {hasDeclined && <th scope="col">Declined</th>}
        </tr>
      </thead>
      <tbody>
        {all.map(({ month, day, verified, waiting, declined }) => (
          <tr key={`${month} ${day}`}>
            <th scope="row">{formatDate(`${month}-${day}`)}</th>
            {cell(verified)}
            {cell(waiting)}
            {hasDeclined && cell(declined)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
