import { formatMonth } from "#app/ui/calendar-date.ts";
import { NumbersTable } from "./numbers-table.tsx";
import type { Series } from "./series.ts";
import type { ChartMonth } from "./year-rows.ts";

interface MonthTableProps {
  title: string;
  months: ChartMonth[];
  series: Series[];
  isOpen: boolean;
}

/** The numbers of the chart of months. */
export function MonthTable({ title, months, series, isOpen }: MonthTableProps) {
  return (
    <details open={isOpen}>
      <summary>Table of these numbers</summary>
      <NumbersTable
        title={title}
        columns={["Month", ...series.map(({ label }) => label)]}
        rows={months.map((month) => ({
          name: formatMonth(`${month.month}-01`),
          hours: series.map(({ of }) => of(month)),
        }))}
      />
    </details>
  );
}
