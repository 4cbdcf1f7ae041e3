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
  /** The hours that a target requires here, in hundredths. */
  required?: number | undefined;
  /** A line about the target, above the scale. */
  children?: ReactNode;
}

/** The ends that a scale may have, in hours: one, two or five times a power of ten, and some between. */
const STEPS = [1, 2, 4, 5, 8, 10];

/**
 * Shows how many hours are verified, how many wait for a supervisor and how many are in no request. The scale ends at
 * what a target requires; without a target, or with more hours than that, above all of them. Widths are in percent and
 * heights in pixels, without a view box, so that its text is as large as the page's at every width. The style sheet
 * draws the graduations.
 */
export function Gauge({ verified, requested, pending, declined, required = 0, children }: GaugeProps) {
  const total = verified + requested + pending;
  const end = total > required || required === 0 ? scaleEnd(total / 100) : required / 100;
  const percent = (hundredths: number) => `${Math.round((hundredths / end) * 100) / 100}%`;
  const words = `${formatHours(verified)} hours verified, ${formatHours(requested)} requested, ${formatHours(pending)} pending${required > 0 ? `, ${formatHours(required)} required` : ""}`;
  // Numbers that a phone has room for: at each quarter, or in the middle.
  const marks = end % 4 === 0 && end < 10_000 ? [25, 50, 75] : end % 2 === 0 ? [50] : [];
  return (
    <div>
      {children}
      <svg className="gauge" height="53" role="img" aria-label={words}>
        <HatchPattern />
        <rect className="track" fill="none" y="1" width="100%" height="20" />
        <rect className="pending" x={percent(verified + requested)} y="1.5" width={percent(pending)} height="19" />
        <rect className="requested" x={percent(verified)} y="1.5" width={percent(requested)} height="19" />
        <rect className="verified" y="1" width={percent(verified)} height="20" />
        <text y="32">0</text>
        {marks.map((mark) => (
          <text key={mark} x={`${mark}%`} y="32" textAnchor="middle">
            {(end * mark) / 100}
          </text>
        ))}
        <text x="100%" y="32" textAnchor="end">
          {`${end} h`}
        </text>
      </svg>
      <p className="states">
        {total + declined === 0 ? (
          <span className="hint">No hours yet</span>
        ) : (
          <State of="verified">
            <b>{`${formatHours(verified)} h verified`}</b>
          </State>
        )}{" "}
        {requested > 0 && <State of="requested">{`${formatHours(requested)} h requested`}</State>}{" "}
        {pending > 0 && <State of="pending">{`${formatHours(pending)} h pending`}</State>}{" "}
        {declined > 0 && <State of="declined">{`${formatHours(declined)} h declined`}</State>}
      </p>
    </div>
  );
}

/** The end of a scale for some hours: a round number above them, at least 100, that four parts divide well. */
function scaleEnd(hours: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(hours, 100)));
  const step = STEPS.find((step) => step * power > hours) ?? 20;
  return step * power;
}
