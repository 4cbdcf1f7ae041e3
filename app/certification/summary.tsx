import { displayName, type User } from "#app/accounts/user.ts";
import { formatDate } from "#app/calendar-date.ts";
import { Key } from "#app/certification/month-chart.tsx";
import { OtherTargets } from "#app/certification/target-section.tsx";
import { kindNamed } from "#app/records/all-kinds.ts";
import { hasMethods } from "#app/records/kind.ts";
import { MonthChart } from "./month-chart.tsx";
import { NOTICE } from "./presets/preset.ts";
import type { ProgressPage } from "./progress-page.server.ts";
import { TargetSection } from "./target-section.tsx";
import { chartMonths } from "./year-rows.ts";

interface SummaryProps extends Omit<ProgressPage, "user"> {
  user: Pick<User, "name" | "email" | "employeeNumber">;
}

/** A technician's progress to print: who, as of when, each target, and the year's hours by month. */
export function Summary({ user, targets, hasNewer, older, year: { year, months }, today }: SummaryProps) {
  const kinds = [
    { kind: "entry", title: `OJT hours in ${year}` },
    { kind: "rope_hour", title: `Rope hours in ${year}` },
  ].map(({ kind, title }) => ({ kind, title, months: chartMonths(year, kind, months) }));
  return (
    <>
      <p className="print-hint">
        Print this page or save it as PDF. <a href={`/progress?year=${year}`}>Back to Progress</a>
      </p>
      <OtherTargets path="/progress/print" className="print-hint" hasNewer={hasNewer} older={older} />
      <section>
        <div className="apart">
          <h1>Progress</h1>
          <p>
            <b>{displayName(user)}</b>
            {user.employeeNumber && `, Employee # ${user.employeeNumber}`}
            <br />
            <span className="hint">As of {formatDate(today)}</span>
          </p>
        </div>
        <Key />
        {targets.length === 0 && <p>No target yet. {NOTICE}</p>}
      </section>
      {targets.map((progress) => (
        <TargetSection key={progress.target.id} progress={progress} today={today} onPaper />
      ))}
      {kinds
        .filter(({ months }) => months.some(({ verified, waiting }) => verified + waiting > 0))
        .map(({ kind, title, months }) => (
          <section key={kind} aria-labelledby={kind}>
            <h2 id={kind}>{title}</h2>
            <MonthChart title={title} months={months} byMethod={hasMethods(kindNamed(kind))} isOpen />
          </section>
        ))}
    </>
  );
}
