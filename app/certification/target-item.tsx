import { State } from "#app/ui/state.tsx";
import { amountText, amountWithUnit } from "./amount-text.ts";
import { estimateText } from "./estimate-text.ts";
import { ItemGauge } from "./item-gauge.tsx";
import type { ItemProgress } from "./progress.ts";
import { recordsLinks } from "./progress-links.ts";
import { RecordsLinks } from "./records-links.tsx";

interface TargetItemProps {
  /** Of its gauge. */
  id: string;
  item: ItemProgress;
  since: string | null;
  today: string;
  onPaper: boolean;
}

/** An item of a target: its numbers, a gauge, and the records that count. */
export function TargetItem({ id, item, since, today, onPaper }: TargetItemProps) {
  const { title, clause, unit, required, verified, waiting, remaining, estimate, toAsk } = item;
  return (
    <li className="item">
      <div>
        <h3>{title}</h3>
        {clause && <p className="hint">{clause}</p>}
        {!onPaper && (
          <p>
            <RecordsLinks all="Verified records" links={recordsLinks({ ...item, since, today })} />
          </p>
        )}
      </div>
      <div className="reading">
        <p>
          <b>{amountText(unit, verified)}</b>{" "}
          <span className="hint">{`of ${amountWithUnit(unit, required)} verified`}</span>
        </p>
        {waiting > 0 && <State of="requested">{`${amountWithUnit(unit, waiting)} waiting`}</State>}{" "}
        {remaining === 0 ? (
          <State of="done">Target reached</State>
        ) : (
          <p className="hint">
            {`${amountWithUnit(unit, remaining)} to go. `}
            {estimate
              ? `Estimate: ${estimateText(estimate, today)}.`
              : "No estimate: too little was verified in the last 90 days."}
          </p>
        )}
        {toAsk.records > 0 && unit !== "months" && !onPaper && (
          <p className="hint">
            {`No supervisor was asked for ${toAsk.records === 1 ? "1 record" : `${toAsk.records} records`}. `}
            <a href="/requests/new">Request verification</a>
          </p>
        )}
      </div>
      <ItemGauge id={id} {...{ title, unit, required, verified, waiting }} />
    </li>
  );
}
