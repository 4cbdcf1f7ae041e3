import { formatDate } from "#app/ui/calendar-date.ts";
import { NumbersTable } from "./numbers-table.tsx";
import type { DayHours } from "./year-rows.ts";

interface DayTableProps {
  months: { month: string; days: DayHours[] }[];
}

/** The numbers of the calendar: a row for each day that has hours. */
export function DayTable({ months }: DayTableProps) {
  const all = months.flatMap(({ month, days }) => days.map((one) => ({ month, ...one })));
  if (all.length === 0) return null;
  const hasDeclined = all.some(({ declined }) => declined > 0);
  return (
    <NumbersTable
      title="Hours day by day"
      columns={["Day", "Verified", "Waiting", ...(hasDeclined ? ["Declined"] : [])]}
      rows={all.map(({ month, day, verified, waiting, declined }) => ({
        name: formatDate(`${month}-${day}`),
        hours: [verified, waiting, ...(hasDeclined ? [declined] : [])],
      }))}
    />
  );
}
