import { formatDate } from "#app/ui/calendar-date.ts";
import { NotCountedTable } from "./not-counted-table.tsx";
import { NOTICE } from "./presets/preset.ts";
import type { TargetProgress } from "./progress.ts";
import { TargetItem } from "./target-item.tsx";

interface TargetSectionProps {
  progress: TargetProgress;
  today: string;
  /** Without links, which lead nowhere on paper. */
  onPaper?: boolean;
}

/** A target: how far each of its items is, where its figures come from, and what does not count. */
export function TargetSection({ progress, today, onPaper = false }: TargetSectionProps) {
  const { target, items } = progress;
  const { id, title, since, standard, source } = target;
  const heading = `target-${id}`;
  return (
    <section aria-labelledby={heading}>
      <header className="head">
        <h2 id={heading}>{title}</h2>
        <span className="hint">
          {since && `since ${formatDate(since)} `}
          {!onPaper && <a href={`/progress/targets/${id}`}>Edit target</a>}
        </span>
      </header>
      <ul>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other key, and the page is never updated
          <TargetItem key={index} id={`g${id}-${index}`} {...{ item, since, today, onPaper }} />
        ))}
      </ul>
      <p className="hint">
        {NOTICE}
        {standard && ` Standard: ${standard}.`}
        {source && ` Source: ${source}`}
        {items.some(({ estimate }) => estimate) &&
          " An estimate continues the verified hours of the last 90 days; it is no promise."}
      </p>
      <NotCountedTable progress={progress} today={today} onPaper={onPaper} />
    </section>
  );
}
