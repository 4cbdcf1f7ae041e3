import { Key } from "./key.tsx";
import { OtherTargets } from "./other-targets.tsx";
import { NOTICE } from "./presets/preset.ts";
import type { ProgressPage } from "./progress-page.server.ts";
import { TargetSection } from "./target-section.tsx";
import { YearSections } from "./year-sections.tsx";

/** The technician's progress: their targets, and a year of hours in pictures. */
export function ProgressScreen({ targets, hasNewer, older, year, today }: Omit<ProgressPage, "user">) {
  return (
    <>
      <section>
        <div className="apart">
          <h1>Progress</h1>
          {targets.length > 0 && (
            <a className="second" href="/progress/targets/new">
              Add target
            </a>
          )}
        </div>
        <div className="apart">
          {(targets.length > 0 || year.months.length > 0) && <Key />}
          {targets.length > 0 && <a href="/progress/print">Printed summary</a>}
        </div>
      </section>
      {targets.length === 0 && <NoTarget />}
      {targets.map((progress) => (
        <TargetSection key={progress.target.id} progress={progress} today={today} />
      ))}
      <OtherTargets path="/progress" {...{ hasNewer, older }} />
      <YearSections {...year} />
    </>
  );
}

/** What a target is for, and the way to the first one. */
function NoTarget() {
  return (
    <section aria-labelledby="no-target">
      <h2 id="no-target">No target yet</h2>
      <p>
        A target says how many hours, days or months you need: for SNT-TC-1A, NAS 410, ISO 9712, IRATA or SPRAT, or
        figures of your own. Your hours then show how far you are.
      </p>
      <p className="row">
        <a className="second act" href="/progress/targets/new">
          Choose a target
        </a>
      </p>
      <p className="hint">{NOTICE}</p>
    </section>
  );
}
