import { formatDate } from "#app/ui/calendar-date.ts";
import { State } from "#app/ui/state.tsx";
import { amountText, amountWithUnit } from "./amount-text.ts";
import { estimateText } from "./estimate-text.ts";
import { ItemGauge } from "./item-gauge.tsx";
import { NotCountedTable } from "./not-counted-table.tsx";
import type { ItemProgress, TargetProgress } from "./progress.ts";
import { recordsLinks } from "./progress-links.ts";
import { RecordsLinks } from "./records-links.tsx";

interface TargetSectionProps {
  progress: TargetProgress;
  today: string;
}

/** A target: how far each of its items is, where its figures come from, and what does not count. */
export function TargetSection({ progress, today }: TargetSectionProps) {
  const { target, items } = progress;
  const heading = `target-${target.id}`;
  return (
    <section aria-labelledby={heading}>
      <header className="head">
        <h2 id={heading}>{target.title}</h2>
        <span className="hint">
          {target.since && `since ${formatDate(target.since)} · `}
          <a href={`/progress/targets/${target.id}`}>Edit target</a>
        </span>
      </header>
      <ul>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other key, and the page is never updated
          <Item key={index} id={`g${target.id}-${index}`} item={item} since={target.since} today={today} />
        ))}
      </ul>
      <Source target={target} hasEstimate={items.some(({ estimate }) => estimate)} />
      <NotCountedTable progress={progress} today={today} />
    </section>
  );
}

interface ItemProps {
  id: string;
  item: ItemProgress;
  since: string | null;
  today: string;
}

function Item({ id, item, since, today }: ItemProps) {
  const { title, clause, unit, required, verified, waiting, kind, methods } = item;
  const links = recordsLinks({ kind, methods, since, today });
  return (
    <li className="item">
      <div>
        <h3>{title}</h3>
        {clause && <p className="hint">{clause}</p>}
        <p>
          <RecordsLinks all="Verified records" links={links} />
        </p>
      </div>
      <div className="reading">
        <p>
          <b>{amountText(unit, verified)}</b>{" "}
          <span className="hint">{`of ${amountWithUnit(unit, required)} verified`}</span>
        </p>
        {waiting > 0 && <State of="requested">{`${amountWithUnit(unit, waiting)} waiting`}</State>}
        <Remaining item={item} today={today} />
      </div>
      <ItemGauge id={id} {...{ title, unit, required, verified, waiting }} />
    </li>
  );
}

/** What is still to do, and when the present pace would reach it. */
function Remaining({ item: { unit, remaining, estimate, toAsk }, today }: Pick<ItemProps, "item" | "today">) {
  return (
    <>
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
      {toAsk.records > 0 && unit !== "months" && (
        <p className="hint">
          {`No supervisor was asked for ${toAsk.records === 1 ? "1 record" : `${toAsk.records} records`}. `}
          <a href="/requests/new">Request verification</a>
        </p>
      )}
    </>
  );
}

/** Where the figures come from, and who decides. */
function Source({
  target: { standard, source },
  hasEstimate,
}: {
  target: TargetProgress["target"];
  hasEstimate: boolean;
}) {
  return (
    <p className="hint">
      {hasEstimate && "An estimate continues your verified hours of the last 90 days. It is no promise. "}
      These figures are a recommendation: your employer’s written practice decides.
      {standard && ` Standard: ${standard}.`}
      {source && ` Source: ${source}`}
    </p>
  );
}
