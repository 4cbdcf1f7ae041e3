import { formatMonth } from "#app/calendar-date.ts";
import { chartScale, type Scale } from "#app/certification/target-section.tsx";
import { METHODS } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { HatchPattern } from "#app/records/gauge.tsx";
import { formatHours } from "#app/records/hours.ts";
import type { ChartMonth } from "./year-rows.ts";

/** A colour of the chart: an NDT method, the verified hours of a kind without methods, or what waits. */
interface Series {
  /** Its class. */
  name: string;
  label: string;
  of(month: ChartMonth): number;
}

const VERIFIED: Series = { name: "verified", label: "Verified", of: ({ verified }) => verified };
const WAITING: Series = { name: "requested", label: "Not verified yet", of: ({ waiting }) => waiting };
const BY_METHOD = METHODS.map(
  (method): Series => ({ name: method, label: methodLabel(method), of: ({ byMethod }) => byMethod[method] ?? 0 }),
);

interface NumbersTableProps {
  /** What it has, for screen readers. */
  title: string;
  columns: string[];
  /** The name of each row, and its hours by column in hundredths: 0 leaves a cell empty. */
  rows: { name: string; hours: number[] }[];
}

/** The numbers of a picture, to read aloud and to copy. It scrolls by itself where it is wider than the page. */
export function NumbersTable({ title, columns: [first, ...others], rows }: NumbersTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can scroll it only if it takes the focus
    <section className="scroll" tabIndex={0} aria-label={title}>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, hours }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hours.map((hundredths, index) => (
                <td key={others[index]}>{hundredths > 0 ? formatHours(hundredths) : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A small square with the filling of a picture, named by its class. One of a page brings the hatching that all share. */
function Swatch({ of: name, hasHatch = false }: { of: string; hasHatch?: boolean }) {
  return (
    <svg className="swatch" width="16" height="16" aria-hidden="true">
      {hasHatch && <HatchPattern />}
      <rect className={name} />
    </svg>
  );
}

/** What the fillings of the pictures mean. */
export function Key() {
  return (
    <ul className="key">
      <li>
        <Swatch of="verified" />
        Verified
      </li>
      <li>
        <Swatch of="requested" hasHatch />
        Not verified yet
      </li>
    </ul>
  );
}

/** What else a year's days can show. */
export function DeclinedKey() {
  return (
    <ul className="key">
      <li>
        <Swatch of="declined" />
        Declined
      </li>
    </ul>
  );
}

interface MonthTableProps {
  title: string;
  months: ChartMonth[];
  series: Series[];
  isOpen: boolean;
}

/** The numbers of the chart of months. */
function MonthTable({ title, months, series, isOpen }: MonthTableProps) {
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

/** The y coordinates of the scale's highest and lowest lines, in pixels. */
const TOP = 24;
const BASE = 220;

/** Where the first month stands and how far the next ones are apart, in percent: the scale's numbers come first. */
const FIRST = 9;
const APART = 7.6;

interface MonthChartProps {
  /** What its hours are called, for screen readers: `OJT hours`. */
  title: string;
  /** The twelve months of a year. */
  months: ChartMonth[];
  byMethod: boolean;
  /** Shows the table from the start, as on paper. */
  isOpen?: boolean;
}

/** The verified hours of each month of a year, stacked by method, what waits on top, and the same numbers as a table. */
export function MonthChart({ title, months, byMethod, isOpen = false }: MonthChartProps) {
  const sum = (of: Series["of"]) => months.reduce((all, month) => all + of(month), 0);
  const series = [...(byMethod ? BY_METHOD : [VERIFIED]), WAITING].filter(({ of }) => sum(of) > 0);
  const scale = chartScale(Math.max(...months.map(({ verified, waiting }) => verified + waiting)) / 100);
  const stacks = months.map((month) => stackOf(month, series, (BASE - TOP) / scale.end));
  const words = `${title} by month: ${formatHours(sum(VERIFIED.of))} verified and ${formatHours(sum(WAITING.of))} not verified yet in all. A table of the same numbers follows.`;
  return (
    <>
      <svg className="chart" height="250" role="img" aria-label={words}>
        <Lines scale={scale} />
        <svg
          x={`${FIRST}%`}
          width={`${tenth(12 * APART)}%`}
          viewBox="0 0 12 250"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {series
            .filter(({ name }) => name !== WAITING.name)
            .reverse()
            .map(({ name }) => (
              <path key={name} className={name} d={stacks.map(barOf(name)).join("")} />
            ))}
        </svg>
        {months.map(({ month }, index) => (
          <svg key={month} x={`${tenth(FIRST + APART * index)}%`} aria-hidden="true">
            {stacks[index]
              ?.filter(({ name }) => name === WAITING.name)
              .map(({ name, y, height }) => (
                <rect key={name} className={name} y={y} height={height} />
              ))}
            <MonthName month={month} />
          </svg>
        ))}
      </svg>
      <ul className="legend">
        {series.map(({ name, label, of }) => (
          <li key={name}>
            <Swatch of={name} />
            {label}
            <b>{formatHours(sum(of))}</b>
          </li>
        ))}
      </ul>
      <MonthTable title={`${title} by month`} months={months} series={series} isOpen={isOpen} />
    </>
  );
}

/** The scale: a line across and its hours at each long graduation, and short ones at the edge. */
function Lines({ scale: { end, long, short } }: { scale: Scale }) {
  const y = (hours: number) => tenth(BASE - (hours / end) * (BASE - TOP));
  const upTo = (step: number) => Array.from({ length: Math.round(end / step) }, (_, index) => (index + 1) * step);
  return (
    <>
      <path
        d={upTo(short)
          .map((hours) => `M0 ${y(hours)}h6`)
          .join("")}
      />
      {upTo(long).map((hours) => (
        <line key={hours} x2="100%" y1={y(hours)} y2={y(hours)} />
      ))}
      {upTo(long).map((hours) => (
        <text key={hours} y={y(hours) - 21}>
          {hours === end ? `${hours} h` : hours}
        </text>
      ))}
      <line className="base" x2="100%" y1={BASE} y2={BASE} />
    </>
  );
}

/** A part of a month's bar, in pixels. */
interface Part {
  /** Of its series. */
  name: string;
  y: number;
  height: number;
}

/** A month's bar from below: a part for each series that has hours, a pixel apart. */
function stackOf(month: ChartMonth, series: Series[], pixelsPerHour: number): Part[] {
  let hundredths = 0;
  let base = BASE;
  return series
    .filter(({ of }) => of(month) > 0)
    .map(({ name, of }) => {
      hundredths += of(month);
      const y = Math.min(base - 1, Math.round(BASE - (hundredths / 100) * pixelsPerHour));
      const height = Math.max(base - y - 1, 1);
      base = y;
      return { name, y, height };
    });
}

/**
 * The part of a month's bar that belongs to a series, down to the base line: what is below it is drawn over it. So a part is
 * two numbers, and a path for each series holds a year of them. Its units across are months.
 */
function barOf(series: string) {
  return (stack: Part[], index: number): string => {
    const part = stack.find(({ name }) => name === series);
    return part ? `M${index} ${part.y}h.66V${BASE - 1}H${index}z` : "";
  };
}

/** `Mar`, of which a phone shows the first letter. */
function MonthName({ month }: { month: string }) {
  const name = formatMonth(`${month}-01`);
  return (
    <text x="2.5%" y="228" textAnchor="middle">
      {name[0]}
      <tspan>{name.slice(1, 3)}</tspan>
    </text>
  );
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
