import { MonthChart } from "./month-chart.tsx";
import { monthHref } from "./progress-links.ts";
import type { ProgressYear } from "./progress-year.ts";
import { YearCalendar } from "./year-calendar.tsx";
import { YearLinks } from "./year-links.tsx";
import { chartMonths } from "./year-rows.ts";

/** A year of hours: by month, day by day, and the rope hours of a technician who has some. */
export function YearSections({ year, years, months, days, hasDayTable }: ProgressYear) {
  const entries = chartMonths(year, "entry", months);
  const ropeHours = chartMonths(year, "rope_hour", months);
  const hasRopeHours = months.some(({ kind }) => kind === "rope_hour");
  if (months.length === 0) return <NoRecords />;
  return (
    <>
      <section aria-labelledby="months">
        <YearLinks year={year} years={years} />
        <header className="head">
          <h2 id="months">Hours by month</h2>
          <span className="hint">{year}, OJT hours by method</span>
        </header>
        <MonthChart title={`OJT hours in ${year}`} months={entries} byMethod />
      </section>
      {hasRopeHours && (
        <section aria-labelledby="rope">
          <header className="head">
            <h2 id="rope">Rope hours by month</h2>
            <span className="hint">{year}, by start date</span>
          </header>
          <MonthChart title={`Rope hours in ${year}`} months={ropeHours} byMethod={false} />
        </section>
      )}
      <section aria-labelledby="days">
        <header className="head">
          <h2 id="days">The year, day by day</h2>
          <span className="hint">{year}, OJT hours</span>
        </header>
        <YearCalendar
          year={year}
          kind="entry"
          rows={days}
          hrefOf={(month) => monthHref("entry", month)}
          hasTable={hasDayTable}
        />
        <p className="hint">
          One graduation a day, longer on days 1, 5, 10 and so on. A full bar is 12 hours; a line above it says that
          there were more.
          {months.some(({ broughtForward }) => broughtForward === 1) &&
            " Hours brought forward were worked in other months, and are in none of these pictures."}
        </p>
      </section>
    </>
  );
}

function NoRecords() {
  return (
    <section aria-labelledby="months">
      <h2 id="months">Hours by month</h2>
      <p className="empty">
        Nothing here yet. <a href="/profile#new">Log the hours of your last shift</a>, and they appear here.
      </p>
    </section>
  );
}
