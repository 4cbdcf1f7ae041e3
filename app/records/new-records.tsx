import type { ReactNode } from "react";
import { recordLine } from "#app/records/record-facts.tsx";
import { filledText } from "./details.ts";
import { formatHours } from "./hours.ts";
import { type AnyRecord, isAskable, type Kind, recordPath } from "./kind.ts";
import { Value } from "./record-facts.tsx";

/* What stands around a log's form for new records: what it has just saved, and the jobs of before. */

/** How many earlier jobs are offered. */
const JOBS = 3;

/** The newest record of each of the last jobs that differ in place or method, the newest job first. */
function recentJobs(kind: Kind, records: readonly AnyRecord[]): AnyRecord[] {
  const jobs = new Map<string, AnyRecord>();
  for (const record of records) {
    if (record.broughtForward) continue; // the sum of many jobs
    const job = `${kind.groupOf(record)}\n${record.location}`;
    if (!jobs.has(job)) jobs.set(job, record);
    if (jobs.size === JOBS) break;
  }
  return [...jobs.values()];
}

/** Links that fill the form in for one of the last jobs, so that only the hours are typed. */
export function SameJobAgain({ kind, records }: { kind: Kind; records: readonly AnyRecord[] }) {
  const jobs = recentJobs(kind, records);
  if (jobs.length === 0) return null;
  return (
    <div className="again">
      <p className="hint" id="again">
        The same job again:
      </p>
      <ul aria-labelledby="again">
        {jobs.map((record) => (
          <li key={record.id}>
            {kind.groups.length > 1 && <span className="plate">{kind.groupOf(record)}</span>}
            <a href={`${kind.path}?again=${record.id}`} dir="auto">
              {String(record.location)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface JustSavedProps {
  kind: Kind;
  /** The records that the form has saved, and the hours of their day if they have one day, in hundredths. */
  saved: readonly AnyRecord[];
  day?: number | null;
  /** What else can be done with them. */
  children?: ReactNode;
}

/** How many of them are listed. */
const LISTED = 10;

/** The records that were just saved, above the form, so that nobody has to look for them in the log. */
export function JustSaved({ kind, saved, day = null, children }: JustSavedProps) {
  if (saved.length === 0) return null;
  const [one, many] = kind.adminTexts.counted;
  const askHref =
    saved.length === 1
      ? `${kind.path}?request=${saved[0]?.id}`
      : `/requests/new?all=1&kind=${kind.name}&saved=${saved[0]?.id}`;
  return (
    <section aria-labelledby="saved" className="saved">
      <header className="head">
        <h2 id="saved">{`${saved.length} ${saved.length === 1 ? one : many} saved`}</h2>
        {day !== null && <span className="hint">{`${formatHours(day)} h that day`}</span>}
      </header>
      <ul>
        {saved.slice(0, LISTED).map((record) => {
          const { when, label, typed, hundredths } = recordLine(kind, record);
          const filled = filledText(kind.details, record.details);
          return (
            <li key={record.id}>
              <span className="hint">
                <Value of={when} weekdays />
              </span>
              {label && (
                <span className="plate">
                  <Value of={label} />
                </span>
              )}
              {hundredths !== null && <b>{formatHours(hundredths)}</b>}
              <p dir="auto">
                {typed[0] && <Value of={typed[0]} />}
                {filled && <span className="hint">{` ${filled}`}</span>}
              </p>
              <a href={`${recordPath(kind, record.id)}/edit`}>
                Edit
                <span className="unseen">
                  {hundredths === null ? ` ${kind.noun(record)}` : ` ${formatHours(hundredths)} hours`}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {saved.length > LISTED && <p className="hint">{`And ${saved.length - LISTED} more, in the log below.`}</p>}
      <p className="row">
        {saved.every((record) => isAskable(kind, record)) && (
          <a className="second" href={askHref}>
            {saved.length === 1 ? "Request Verification" : `Request Verification of ${saved.length}`}
          </a>
        )}
        {children}
      </p>
    </section>
  );
}
