import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formatDate, formatMonth } from "#app/calendar-date.ts";
import { DeclinedKey, Key, MonthChart, NumbersTable } from "#app/certification/month-chart.tsx";
import { NOTICE } from "#app/certification/presets/preset.ts";
import progressStyles from "#app/certification/progress.css?inline";
import { findProgress } from "#app/certification/progress.server.ts";
import { monthHref, type ProgressYear } from "#app/certification/progress-links.ts";
import type { DaySum } from "#app/certification/progress-rows.ts";
import { ThinHours } from "#app/certification/renewal.server.tsx";
import { OtherTargets, TargetSection } from "#app/certification/target-section.tsx";
import { chartMonths, type DayHours, daysIn, daysOfMonth, monthsIn } from "#app/certification/year-rows.ts";
import { EvidenceTabs } from "#app/evidence/log.tsx";
import { formatHours } from "#app/records/hours.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, css: progressStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress · Hours Tracker" }];

export const loader = page(({ request, context }) => findProgress(context, new URL(request.url)));

/** The technician's progress: their targets, and a year of hours in pictures. */
export default function Progress() {
  const { targets, hasNewer, older, year, thin, today } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/progress">
      <section>
        <div className="apart">
          <h1>Progress</h1>
          {targets.length > 0 && (
            <a className="second" href="/progress/targets/new">
              Add target
            </a>
          )}
        </div>
        <EvidenceTabs current="/progress" />
        <div className="apart">
          {(targets.length > 0 || year.months.length > 0) && <Key />}
          {targets.length > 0 && <a href="/progress/print">Printed summary</a>}
        </div>
        <ThinHours thin={thin} />
      </section>
      {targets.length === 0 && <NoTarget />}
      {targets.map((progress) => (
        <TargetSection key={progress.target.id} progress={progress} today={today} />
      ))}
      <OtherTargets path="/progress" hasNewer={hasNewer} older={older} />
      <YearSections {...year} />
    </SignedInLayout>
  );
}

interface DayTableProps {
  months: { month: string; days: DayHours[] }[];
}

/** The numbers of the calendar: a row for each day that has hours. */
function DayTable({ months }: DayTableProps) {
  const all = months.flatMap(({ month, days }) => days.map((one) => ({ month, ...one })));
  if (all.length === 0) return null;
  const hasDeclined = all.some(({ declined }) => declined > 0);
  return (
    <NumbersTable
      title="Hours day by day"
      columns={["Day", "Verified", "Not verified yet", ...(hasDeclined ? ["Declined"] : [])]}
      rows={all.map(({ month, day, verified, waiting, declined }) => ({
        name: formatDate(`${month}-${day}`),
        hours: [verified, waiting, ...(hasDeclined ? [declined] : [])],
      }))}
    />
  );
}

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
  /** Whether the days stand in a table too. A year of them doubles the page, so it has an address of its own. */
  hasTable: boolean;
}

/** A year as twelve rulers with a graduation for each day, a bar for the hours of a day, and the same numbers as a table. */
export function YearCalendar({ year, kind, rows, hrefOf, hasTable }: YearCalendarProps) {
  const months = monthsIn(year).map((month) => ({ month, days: daysOfMonth(month, kind, rows) }));
  return (
    <>
      <svg className="unseen" aria-hidden="true">
        <DayBar />
        <DayHatch />
      </svg>
      <ol className="year">
        {months.map(({ month, days }) => (
          <Month key={month} month={month} days={days} href={hrefOf(month)} />
        ))}
      </ol>
      {rows.some(({ status }) => status === "declined") && <DeclinedKey />}
      {hasTable ? (
        <DayTable months={months} />
      ) : (
        rows.length > 0 && (
          <p>
            <a href={`/progress?year=${year}&days=table#days`}>Table of these numbers</a>
          </p>
        )
      )}
    </>
  );
}

/** The bars of a month: a unit across for each day, of which 0.7 are filled. */
function DayBar() {
  return (
    <pattern id="day-bar" width="1" height="33" patternUnits="userSpaceOnUse">
      <rect x=".15" width=".7" height="33" />
    </pattern>
  );
}

/** The hatching of a bar, in units of a day across: the picture is stretched, so it is made of shapes and not of lines. */
function DayHatch() {
  return (
    <pattern id="day-hatch" width=".5" height="4" patternUnits="userSpaceOnUse">
      <rect width="1" height="4" />
      <path d="M0 0h.12L.5 3v1zM.38 0H.5v1zM0 3v1h.12z" />
    </pattern>
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
        <a href={href} aria-label={`${name.slice(0, 3)} ${month.slice(0, 4)}`}>
          {name.slice(0, 3)}
        </a>
      ) : (
        name.slice(0, 3)
      )}
      <svg viewBox="0 0 31 33" height="33" preserveAspectRatio="none" aria-hidden="true">
        <path className="days" d={`M.45 30h${length}`} />
        <path className="fifths" d={`M.45 28.5h1m3 0h${length - 4}`} />
        <path className="base" d={`M0 32h${length}`} />
        <Bars days={days} />
      </svg>
      {total > 0 ? <b className="sum">{formatHours(total)}</b> : <span className="sum hint">0.0</span>}
    </li>
  );
}

/**
 * The bars of a month, a path for each state. What is verified is one shape of steps, because each of its days takes fewer
 * characters than a bar of its own: bars are most of a page. A line above a bar says that it is cut off at 12 hours.
 */
function Bars({ days }: { days: DayHours[] }) {
  const paths = { verified: "", requested: "", declined: "", cut: "" };
  let drawn = 0;
  for (const { day, verified, waiting, declined } of days) {
    const height = (hundredths: number) => Math.round((Math.min(hundredths, DAY_MAX) / 100) * PIXELS_PER_HOUR);
    const [one, two, three] = [height(verified), height(verified + waiting), height(verified + waiting + declined)];
    if (one > 0) {
      paths.verified += `${day > drawn + 1 ? step(0, day - drawn - 1) : ""}${step(one, 1)}`;
      drawn = day;
    }
    if (two > one) paths.requested += box(day, one, two);
    if (three > two) paths.declined += line(day, two, three);
    if (verified + waiting + declined > DAY_MAX) paths.cut += `M${day - 1} 5h1`;
  }
  if (drawn > 0) paths.verified = `M0 ${BASE}${paths.verified}V${BASE}`;
  return <>{Object.entries(paths).map(([name, path]) => path && <path key={name} className={name} d={path} />)}</>;
}

/** A step of a height and a number of days. */
function step(height: number, days: number): string {
  return `V${BASE - height}h${days}`;
}

/** A thick line over a day, between two heights. */
function line(day: number, from: number, to: number): string {
  return `M${day - 1}.5 ${BASE - from}v${from - to}`;
}

/** A box as wide as that line, which can be hatched. */
function box(day: number, from: number, to: number): string {
  return `M${day - 1}.15 ${BASE - from}v${from - to}h.7v${to - from}z`;
}

/** How many years are offered at once. */
const SHOWN = 8;

/** The years that have records, as links: the newest ones, or those around a year that is older. */
function YearLinks({ year, years }: { year: number; years: number[] }) {
  const shown = [...new Set([...years, year])].sort((one, other) => one - other);
  const end = Math.max(SHOWN, shown.indexOf(year) + SHOWN / 2);
  const start = Math.max(0, Math.min(end, shown.length) - SHOWN);
  if (shown.length === 1) return null;
  return (
    <nav className="years" aria-label="Year">
      {shown.slice(start, start + SHOWN).map((one) => (
        <a key={one} href={`/progress?year=${one}#months`} aria-current={one === year ? "page" : undefined}>
          {one}
        </a>
      ))}
    </nav>
  );
}

/** A year of hours: by month, day by day, and the rope hours of a technician who has some. */
function YearSections({ year, years, months, days, hasDayTable }: ProgressYear) {
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
          <details>
            <summary>
              <h2 id="rope">Rope hours by month</h2> <span className="hint">{year}, by start date</span>
            </summary>
            <MonthChart title={`Rope hours in ${year}`} months={ropeHours} byMethod={false} />
          </details>
        </section>
      )}
      <section aria-labelledby="days">
        <details open={hasDayTable || undefined}>
          <summary>
            <h2 id="days">The year, day by day</h2> <span className="hint">{year}, OJT hours</span>
          </summary>
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
              " Previous experience was gained in other months, and is in none of these pictures."}
          </p>
        </details>
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

/** What a target is for, and the way to the first one. */
function NoTarget() {
  return (
    <section aria-labelledby="no-target">
      <h2 id="no-target">No target yet</h2>
      <p>
        A target says how many hours, days or months you need: for SNT-TC-1A, NAS 410, ISO 9712, IRATA or SPRAT, or
        figures of your own. Your hours then show how far you are.
      </p>
      <p className="row">
        <a className="second act" href="/progress/targets/new">
          Choose a target
        </a>
      </p>
      <p className="hint">{NOTICE}</p>
    </section>
  );
}
