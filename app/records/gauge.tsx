import type { ReactNode } from "react";
import { State } from "#app/ui/page.tsx";
import { formatHours } from "./hours.ts";

/** The hatching of what waits for a supervisor, which a style sheet refers to as `#hatch`. A page has it once. */
export function HatchPattern() {
  return (
    <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" />
      <path d="M0 0v6" />
    </pattern>
  );
}

interface GaugeProps {
  /** Hours in hundredths. */
  verified: number;
  requested: number;
  pending: number;
  /** It is said, and not on the scale: it counts for nothing until it is corrected. */
  declined: number;
  /** What a target requires of these hours, in hundredths. */
  required?: number | undefined;
  /** What stands below about the target. */
  children?: ReactNode;
}

/** The ends that a scale may have, in hours: one, two or five times a power of ten, and some between. */
const STEPS = [1, 2, 4, 5, 8, 10];

/**
 * How many hours are verified, how many wait for a supervisor and how many are not asked for, on a scale that ends above
 * all of them. Widths are in percent and heights in pixels, without a view box, so that its text is as large as the page's at
 * every width. The style sheet draws the graduations. A pointer marks what a target requires.
 */
export function Gauge({ verified, requested, pending, declined, required, children }: GaugeProps) {
  const total = verified + requested + pending;
  const end = scaleEnd(Math.max(total, required ?? 0) / 100);
  const percent = (hundredths: number) => `${Math.round((hundredths / end) * 100) / 100}%`;
  const words = `${formatHours(verified)} hours verified, ${formatHours(requested)} requested, ${formatHours(pending)} pending${required === undefined ? "" : `, ${formatHours(required)} required`}`;
  return (
    <div>
      <p className="apart">
        {total + declined === 0 ? (
          <span className="hint">No hours yet</span>
        ) : (
          <State of="verified">
            <b>{`${formatHours(verified)} h verified${required === undefined ? "" : " for this target"}`}</b>
          </State>
        )}{" "}
        {requested > 0 && <State of="requested">{`${formatHours(requested)} h requested`}</State>}{" "}
        {pending > 0 && <State of="pending">{`${formatHours(pending)} h pending`}</State>}{" "}
        {declined > 0 && <State of="declined">{`${formatHours(declined)} h declined`}</State>}
      </p>
      <svg className="gauge" height="53" role="img" aria-label={words}>
        <HatchPattern />
        <rect className="track" fill="none" y="1" width="100%" height="20" />
        <rect className="pending" x={percent(verified + requested)} y="1.5" width={percent(pending)} height="19" />
        <rect className="requested" x={percent(verified)} y="1.5" width={percent(requested)} height="19" />
        <rect className="verified" y="1" width={percent(verified)} height="20" />
        {required !== undefined && (
          <svg x={percent(required)} overflow="visible" aria-hidden="true">
            <path fill="currentColor" d="M-5 28H5L0 21zM-.5 1h1v21h-1z" />
          </svg>
        )}
        <text y="32">0</text>
        {(end < 10_000 ? [1, 2, 3] : [2]).map((quarter) => (
          <text key={quarter} x={`${quarter * 25}%`} y="32" textAnchor="middle">
            {(end / 4) * quarter}
          </text>
        ))}
        <text x="100%" y="32" textAnchor="end">
          {`${end} h`}
        </text>
      </svg>
      {children}
    </div>
  );
}

/** The end of a scale for some hours: a round number above them, at least 100, that four parts divide well. */
function scaleEnd(hours: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(hours, 100)));
  const step = STEPS.find((step) => step * power > hours) ?? 20;
  return step * power;
}
