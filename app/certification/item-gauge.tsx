import { amountText, amountWithUnit, scaleText, type Unit } from "./amount-text.ts";
import { gaugeScale, percent } from "./scale.ts";

interface ItemGaugeProps {
  /** Sets the ids of its patterns apart from those of other gauges on the page. */
  id: string;
  /** What is measured, for screen readers: `UT`. */
  title: string;
  unit: Unit;
  /** In hundredths of the unit, like the next two. */
  required: number;
  verified: number;
  waiting: number;
}

/** The smallest part of each unit, in hundredths: a month is never divided. */
const LEAST: Record<Unit, number> = { hours: 1, days: 10, months: 100 };

/**
 * How far an item of a target is: what is verified solid, what waits hatched, and a pointer at what is required. The scale
 * is graduated in the item's unit and runs past the pointer where more is reached. It has no view box: across it is in
 * percent and down in pixels, so that its text is as large as the page's at every width.
 */
export function ItemGauge({ id, title, unit, required, verified, waiting }: ItemGaugeProps) {
  const { end, long, short } = gaugeScale(required, verified + waiting, LEAST[unit]);
  const at = (amount: number) => percent(amount, end);
  const pointer = required / end;
  const words = `${title}: ${amountText(unit, verified)} of ${amountWithUnit(unit, required)} verified, ${amountText(unit, waiting)} waiting`;
  return (
    <svg className="gauge" height="63" role="img" aria-label={words}>
      <Graduations id={`${id}s`} every={at(short)} height={5} isShort />
      <Graduations id={`${id}l`} every={at(long)} height={10} />
      <rect className="track" y="10" width="100%" height="20" />
      {waiting > 0 && <rect className="requested" x={at(verified)} y="10.5" width={at(waiting)} height="19" />}
      {verified > 0 && <rect className="verified" y="10" width={at(verified)} height="20" />}
      <svg x={at(required)} aria-hidden="true">
        <path d="M-6 0H6L0 9zM-.5 9v32h1V9z" />
      </svg>
      {pointer > 0.2 && <text y="42">0</text>}
      <text className="required" x={at(required)} y="42" textAnchor={anchor(pointer)}>
        {scaleText(unit, required)}
      </text>
      {pointer < 0.7 && (
        <text x="100%" y="42" textAnchor="end">
          {end / 100}
        </text>
      )}
    </svg>
  );
}

interface GraduationsProps {
  id: string;
  /** How far apart they are, in percent. */
  every: string;
  /** In pixels. */
  height: number;
  isShort?: boolean;
}

/** A row of graduations below the track, drawn as one pattern: lines would cost a page of ten gauges 5 kB. */
function Graduations({ id, every, height, isShort }: GraduationsProps) {
  return (
    <>
      <pattern id={id} y="31" width={every} height="20" patternUnits="userSpaceOnUse">
        <path className={isShort ? "short" : undefined} d={`M.5 0v${height}`} />
      </pattern>
      <rect y="31" width="100%" height={height} fill={`url(#${id})`} />
    </>
  );
}

/** Text at the pointer never leaves the gauge. */
function anchor(pointer: number): "start" | "middle" | "end" {
  if (pointer > 0.85) return "end";
  return pointer < 0.15 ? "start" : "middle";
}
