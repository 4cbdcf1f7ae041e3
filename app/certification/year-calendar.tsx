import { formatHours } from "#app/records/hours.ts";
import { formatMonth } from "#app/ui/calendar-date.ts";
import { DayTable } from "./day-table.tsx";
import type { DaySum } from "./progress-rows.ts";
import { type DayHours, daysIn, daysOf, monthsIn } from "./year-rows.ts";

/** A bar grows by two pixels an hour, up to 12 hours. */
const PIXELS_PER_HOUR = 2;
const DAY_MAX = 1_200;
/** The y coordinate of the line on which the bars stand. */
const BASE = 32;

interface YearCalendarProps {
  year: number;
  kind: string;
  rows: DaySum[];
  /** The address of a month's records in the log. */
  hrefOf(month: string): string;
}

/** A year as twelve rulers with a graduation for each day, a bar for the hours of a day, and the same numbers as a table. */
export function YearCalendar({ year, kind, rows, hrefOf }: YearCalendarProps) {
  const months = monthsIn(year).map((month) => ({ month, days: daysOf(month, kind, rows) }));
  return (
    <>
      <ol className="year">
        {months.map(({ month, days }) => (
          <Month key={month} month={month} days={days} href={hrefOf(month)} />
        ))}
      </ol>
      <DayTable months={months} />
    </>
  );
}

/** A month: its name, its ruler and its hours. The ruler has a unit across for each day, stretched to the page's width. */
function Month({ month, days, href }: { month: string; days: DayHours[]; href: string }) {
  const name = formatMonth(`${month}-01`);
  const total = days.reduce((sum, { verified, waiting }) => sum + verified + waiting, 0);
  const length = daysIn(month);
  return (
    <li>
      {total > 0 ? (
        <a href={href} aria-label={`Records of ${name}`}>
          {name.slice(0, 3)}
        </a>
      ) : (
        name.slice(0, 3)
      )}
      <svg viewBox="0 0 31 33" preserveAspectRatio="none" aria-hidden="true">
        <path className="days" d={`M.45 30h${length}`} />
        <path className="fifths" d={`M.45 28.5h1m3 0h${length - 4}`} />
        <path className="base" d={`M0 32h${length}`} />
        <Bars days={days} />
      </svg>
      {total > 0 ? <b>{formatHours(total)}</b> : <span className="hint">0.0</span>}
    </li>
  );
}

/** The bars of a month, a path for each state. A line above a bar says that it is cut off at 12 hours. */
function Bars({ days }: { days: DayHours[] }) {
  const paths = { verified: "", requested: "", declined: "", cut: "" };
  for (const { day, verified, waiting, declined } of days) {
    let from = 0;
    const bar = (hundredths: number) => {
      const to = Math.min(from + hundredths, DAY_MAX);
      const path = to > from ? box(day, pixels(from), pixels(to)) : "";
      from = to;
      return path;
    };
    paths.verified += bar(verified);
    paths.requested += bar(waiting);
    paths.declined += bar(declined);
    if (verified + waiting + declined > DAY_MAX) paths.cut += `M${day - 1} 5h1`;
  }
  return <>{Object.entries(paths).map(([name, path]) => path && <path key={name} className={name} d={path} />)}</>;
}

function pixels(hundredths: number): number {
  return Math.round((hundredths / 100) * PIXELS_PER_HOUR * 2) / 2;
}

/** A closed box over a day, between two heights above the line. */
function box(day: number, from: number, to: number): string {
  return `M${day - 1}.15 ${BASE - from}v${from - to}h.7v${to - from}z`;
}
