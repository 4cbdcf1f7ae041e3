import { formatHours } from "#app/records/hours.ts";
import { formatMonth } from "#app/ui/calendar-date.ts";
import type { Series } from "./series.ts";
import type { ChartMonth } from "./year-rows.ts";

interface MonthTableProps {
  title: string;
  months: ChartMonth[];
  series: Series[];
  isOpen: boolean;
}

/** The numbers of the chart of months, to read aloud and to copy. */
export function MonthTable({ title, months, series, isOpen }: MonthTableProps) {
  return (
    <details open={isOpen}>
      <summary>Table of these numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can scroll it only if it takes the focus */}
      <section className="scroll" tabIndex={0} aria-label={title}>
        <table className="numbers">
          <thead>
            <tr>
              <th scope="col">Month</th>
              {series.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.month}>
                <th scope="row">{formatMonth(`${month.month}-01`)}</th>
                {series.map(({ name, of }) => (
                  <td key={name}>{of(month) > 0 ? formatHours(of(month)) : null}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
