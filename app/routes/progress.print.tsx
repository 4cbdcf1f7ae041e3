import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { displayName } from "#app/accounts/user.ts";
import { formatDate } from "#app/calendar-date.ts";
import { Key, MonthChart } from "#app/certification/month-chart.tsx";
import { NOTICE } from "#app/certification/presets/preset.ts";
import styles from "#app/certification/progress.css?inline";
import { findProgress } from "#app/certification/progress.server.ts";
import printStyles from "#app/certification/summary.css?inline";
import { OtherTargets, TargetSection } from "#app/certification/target-section.tsx";
import { chartMonths } from "#app/certification/year-rows.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { hasMethods } from "#app/records/kind.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, css: styles + printStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Progress summary · Hours Tracker" }];

export const loader = page(({ request, context }) => findProgress(context, new URL(request.url)));

/** A technician's progress to print: who, as of when, each target, and the year's hours by month. */
export default function ProgressSummary() {
  const { user, targets, hasNewer, older, year: summed, today } = useLoaderData<typeof loader>();
  const { year, months } = summed;
  const kinds = [
    { kind: "entry", title: `OJT hours in ${year}` },
    { kind: "rope_hour", title: `Rope hours in ${year}` },
  ].map(({ kind, title }) => ({ kind, title, months: chartMonths(year, kind, months) }));
  return (
    <main>
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
    </main>
  );
}
