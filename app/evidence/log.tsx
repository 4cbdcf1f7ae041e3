import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formatDate, formatDay, toCalendarDate } from "#app/calendar-date.ts";
import type { Db, Owner, Queries } from "#app/db/client.server.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { filledText } from "#app/records/details.ts";
import { ENTRIES_MAX } from "#app/records/entry/entry.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { type AnyRecord, dateOf, isAskable, type Kind, recordPath } from "#app/records/kind.ts";
import { logPageQueries, logQueryFrom, readLogPage } from "#app/records/log-page.server.ts";
import { savedTogether } from "#app/records/queries.server.ts";
import { recordLine, Value } from "#app/records/record-facts.tsx";
import { trainingKind } from "#app/records/training/training.kind.ts";
import { parseId } from "#app/server/query.ts";
import { Toast } from "#app/ui/page.tsx";
import { LAST_DECLINE, LAST_END, OPEN_REQUEST } from "#app/verification/decision.server.ts";
import {
  asksToRequest,
  type DialogFacts,
  dialogFromRows,
  dialogQueries,
  VerificationDialog,
} from "#app/verification/requests/request-dialog.tsx";

/**
 * The page of a log: its records, what was just saved, and the dialog; and `own`, the rows of what the page reads besides.
 * `more` gets the id of the record that was just saved, or 0.
 */
export async function findLog<Row extends AnyRecord, More extends Queries>(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  kind: Kind<Row>,
  more: (owner: Owner, db: Db, page: { url: URL; today: string; savedId: number }) => More,
) {
  const url = new URL(request.url);
  const query = logQueryFrom(kind, url);
  const source = { now: context.now, decline: LAST_DECLINE, ended: LAST_END, openRequest: OPEN_REQUEST };
  const today = toCalendarDate(context.timeZone, context.now);
  // Only right after saving: the address may be opened again, or kept.
  const savedId = context.flash?.saved ? parseId(url.searchParams.get("saved")) : 0;
  const {
    user,
    log,
    own,
    justSaved = [],
    ...requestable
  } = await requireUser(context, (owner, db) => ({
    log: logPageQueries(db, owner, kind, query, source),
    own: more(owner, db, { url, today, savedId }),
    ...(savedId && { justSaved: savedTogether(db, owner, kind, savedId, ENTRIES_MAX) }),
    ...dialogQueries(db, owner, kind, url),
  }));
  if (asksToRequest(url)) await askForName(context, request, user);
  const page = await readLogPage(context, user.id, kind, query, source, log);
  return {
    user,
    log: page,
    own,
    isEmpty: page.records.length === 0 && Object.keys(query.params).length === 0,
    formKey: newFormKey(user.id),
    today,
    justSaved,
    saved: context.flash?.saved ?? null,
    hasUndo: Boolean(context.flash?.toast?.undo),
    dialog: await dialogFromRows(context, kind, url, requestable),
  };
}

interface EvidenceScreenProps {
  kind: Kind;
  /** The text of the link to the form. */
  add: string;
  /** Above the log. */
  lead?: string;
  counts: ReactNode;
  justSaved: AnyRecord[];
  dialog: DialogFacts | null;
  formKey: string;
  children: ReactNode;
}

/** The page of a log of training or certificates. */
export function EvidenceScreen({ kind, add, lead, counts, justSaved, dialog, formKey, children }: EvidenceScreenProps) {
  return (
    <SignedInLayout
      current={kind.tab}
      says={justSaved.length > 0 ? "itself" : "toast"}
      dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}
    >
      <div className="apart">
        <h1>{kind.texts.log}</h1>
        <a className="second act" href={`${kind.path}/new`}>
          {add}
        </a>
      </div>
      <EvidenceTabs current={kind.path} />
      <JustSaved kind={kind} saved={justSaved} />
      {lead && <p className="hint">{lead}</p>}
      {counts}
      {counts && (
        <p>
          <a href={`${trainingKind.path}/exports`}>Export training and certificates</a>
        </p>
      )}
      <section id="log" aria-label="Log">
        {children}
      </section>
    </SignedInLayout>
  );
}

const PARTS = [
  ["/progress", "Targets"],
  [trainingKind.path, trainingKind.texts.log],
  [certificateKind.path, certificateKind.texts.log],
] as const;

/** The pages of what a certification asks for. */
export function EvidenceTabs({ current }: { current: string }) {
  return (
    <nav className="parts" aria-label="Parts of progress">
      {PARTS.map(([href, label]) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/* The parts around a log's form for new records: the records that were just saved, and earlier jobs. */

/** How many earlier days are offered. */
const DAYS = 3;

/** The last days that differ in places or methods, each with its records, the newest first. */
function recentDays<Row extends AnyRecord>(kind: Kind<Row>, records: readonly Row[]): Row[][] {
  const days = new Map<string, Row[]>();
  for (const record of records) {
    if (record.broughtForward) continue; // the sum of many jobs
    const date = dateOf(kind, record);
    days.set(date, [record, ...(days.get(date) ?? [])]);
  }
  const jobs = new Map<string, Row[]>();
  for (const day of days.values()) {
    const job = day.map((record) => `${kind.groupOf(record)}\n${record.location}`).join("\n");
    if (!jobs.has(job)) jobs.set(job, day);
  }
  return [...jobs.values()].slice(0, DAYS);
}

interface LogAgainProps<Row extends AnyRecord> {
  kind: Kind<Row>;
  /** The newest records, newest first. */
  records: readonly Row[];
  /** The value of `?again=` for the records of a day. */
  againOf: (day: readonly Row[]) => string | number;
}

/** Links that fill the form in for one of the last days, so that only the hours are typed. */
export function LogAgain<Row extends AnyRecord>({ kind, records, againOf }: LogAgainProps<Row>) {
  const days = recentDays(kind, records);
  if (days.length === 0) return null;
  return (
    <div className="again">
      <p className="hint" id="again">
        Log again:
      </p>
      <ul aria-labelledby="again">
        {days.map((day) => {
          const [first] = day;
          const groups = kind.groups.length > 1 ? [...new Set(day.map((record) => kind.groupOf(record)))] : [];
          const places = [...new Set(day.map(({ location }) => String(location)))];
          return (
            <li key={first?.id}>
              <a href={`${kind.path}?again=${againOf(day)}`}>
                <b>{first && formatDay(dateOf(kind, first)).slice(0, -5)}</b>
                {groups.length > 0 && ` ${groups.join(" + ")}`}
                <span>
                  <bdi>{places[0]}</bdi>
                  {places.length > 1 && ` and ${places.length - 1} more`}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** How many locations are suggested. */
const PLACES = 10;

/** The locations of earlier records, which the field of a new one suggests. */
export function Places({ records }: { records: readonly { location: string }[] }) {
  return (
    <datalist id="places">
      {[...new Set(records.map(({ location }) => location))].slice(0, PLACES).map((place) => (
        <option key={place} value={place} />
      ))}
    </datalist>
  );
}

interface JustSavedProps {
  kind: Kind;
  /** The records that the form has saved, and the hours of their day if they have one day, in hundredths. */
  saved: readonly AnyRecord[];
  day?: number | null;
  /** Other acts on them. */
  children?: ReactNode;
}

/** How many of them are listed. */
const LISTED = 10;

/** Shows the records that were just saved above the form, so that no one has to look for them in the log. The page has no toast. */
export function JustSaved({ kind, saved, day = null, children }: JustSavedProps) {
  const [first] = saved;
  if (!first) return null;
  const isOne = saved.length === 1;
  const count = `${saved.length} ${kind.adminTexts.counted[isOne ? 0 : 1]}`;
  const sum =
    day !== null &&
    `, ${formatHours(day)} h in total on ${formatDate(dateOf(kind, first)).slice(0, -5).replace(" ", "\u00a0")}`;
  const askHref = isOne
    ? `${kind.path}?request=${first.id}`
    : `/requests/new?all=1&kind=${kind.name}&saved=${first.id}`;
  return (
    <section aria-label="Saved" className="saved">
      <Toast isInFlow>{` ${count}${sum || ""}.`}</Toast>
      <p className="row">
        {saved.every((record) => isAskable(kind, record)) && (
          <a href={askHref}>
            <b>{isOne ? "Request Verification" : `Request Verification of ${saved.length}`}</b>
          </a>
        )}
        {children}
      </p>
      {saved.some(({ verified }) => !verified) && (
        <form method="post" action={`${recordPath(kind, first.id)}/delete`}>
          <button type="submit" className="quiet" name={isOne ? undefined : "together"} value="1">
            Undo
          </button>
        </form>
      )}
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
    </section>
  );
}
