import { State } from "#app/ui/page.tsx";
import { type Figure, figuresOf } from "./figures.ts";
import type { TargetProgress } from "./progress.ts";

/** How far a target's parts are, a figure for each with its state and a small gauge. */
export function FourParts({ progress, today }: { progress: TargetProgress; today: string }) {
  const figures = figuresOf(progress, today);
  return (
    <ul className="four">
      {figures.map((figure, index) => (
        <li key={figure.name} className={index % 2 === 0 && index === figures.length - 1 ? "wide" : undefined}>
          <p>{figure.name}</p>
          <p>
            <b>{figure.amount}</b> <span className="hint">{`/ ${figure.of}`}</span>
          </p>
          <FigureState figure={figure} />
          <SmallGauge figure={figure} />
        </li>
      ))}
    </ul>
  );
}

function FigureState({ figure: { mark, percent, text } }: { figure: Figure }) {
  if (mark === "over") return <span className="over state">{text}</span>;
  if (mark !== "half") return <State of={mark}>{text}</State>;
  return (
    <span className="half">
      <Ring percent={percent} />
      {text}
    </span>
  );
}

/** A ring that fills clockwise, from the top. */
function Ring({ percent }: { percent: number }) {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="6" />
      <circle cx="7" cy="7" r="2.5" pathLength="100" strokeDasharray={`${percent} 100`} />
    </svg>
  );
}

/** The whole is what is asked for. The style sheet draws the divisions. */
function SmallGauge({ figure: { verified, waiting, divisions } }: { figure: Figure }) {
  const at = (share: number) => `${Math.round(share * 10_000) / 100}%`;
  return (
    <svg className={divisions < 4 ? `gauge in-${divisions}` : "gauge"} aria-hidden="true">
      <rect className="track" y=".5" width="100%" height="8" />
      {waiting > 0 && <rect className="requested" x={at(verified)} y=".5" width={at(waiting)} height="8" />}
      {verified > 0 && <rect className="verified" width={at(verified)} height="9" />}
    </svg>
  );
}
