import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sql } from "drizzle-orm";
import type { ReactNode } from "react";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName, lacksName } from "#app/accounts/details.server.ts";
import { asksToConfirm } from "#app/accounts/email-confirmation.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { type TargetHours, targetHoursFromRows, targetHoursQueries } from "#app/certification/target-hours.server.ts";
import { Island } from "#app/client/island.tsx";
import { newFormKey } from "#app/forms/form-key.ts";
import { logCss } from "#app/log-css.ts";
import { ExportUnderLog } from "#app/pdf/export-screen.tsx";
import profileStyles from "#app/profile.css?inline";
import { ENTRY_DETAILS, formDetails } from "#app/records/details.ts";
import { hoursOfDay, totalsByMethod } from "#app/records/entry/entries.server.ts";
import { ENTRIES_MAX, entryKind, entryRules } from "#app/records/entry/entry.kind.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { EntryLog } from "#app/records/entry/entry-log.tsx";
import { draftOf, hoursOfDates } from "#app/records/entry/entry-rules.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { Gauge } from "#app/records/gauge.tsx";
import { formatHours } from "#app/records/hours.ts";
import { countRecords } from "#app/records/kind.ts";
import { logPageQueries, logQueryFrom, readLogPage } from "#app/records/log-page.server.ts";
import { JustSaved, SameJobAgain } from "#app/records/new-records.tsx";
import { findRecord, savedTogether } from "#app/records/queries.server.ts";
import { SignatureBlock } from "#app/records/signature-block.tsx";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { State } from "#app/ui/page.tsx";
import { LAST_DECLINE, LAST_END } from "#app/verification/decision.server.ts";
import { asksToRequest, dialogFromRows, dialogQueries } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

export const handle = { script: true, css: logCss(profileStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "OJT Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const query = logQueryFrom(entryKind, url);
  const source = { now: context.now, decline: LAST_DECLINE, ended: LAST_END };
  const today = toCalendarDate(context.timeZone, context.now);
  const againId = parseId(url.searchParams.get("again"));
  // Only right after saving: the address may be opened again, or kept.
  const savedId = context.flash?.saved ? parseId(url.searchParams.get("saved")) : 0;
  const {
    user,
    log,
    totals,
    target,
    again = [],
    justSaved = [],
    day = [],
    ...requestable
  } = await requireUser(context, (owner, db) => ({
    log: logPageQueries(db, owner, entryKind, query, source),
    totals: totalsByMethod(db, owner),
    target: targetHoursQueries(db, owner, today),
    ...(againId && { again: findRecord(db, owner, entryKind, againId) }),
    ...(savedId && {
      justSaved: savedTogether(db, owner, entryKind, savedId, ENTRIES_MAX),
      day: hoursOfDay(db, owner, sql`(SELECT date FROM records WHERE id = ${savedId})`),
    }),
    ...dialogQueries(db, owner, entryKind, url),
  }));
  if (asksToRequest(url)) await askForName(context, request, user);
  return {
    user,
    // Left out if it is confirmed, so that the page stays as small.
    ...(asksToConfirm(context, user) && { isUnconfirmed: true }),
    ...((await lacksName(context, request, user)) && { isNameless: true }),
    log: await readLogPage(context, user.id, entryKind, query, source, log),
    totals,
    target: targetHoursFromRows(target, today),
    today,
    formKey: newFormKey(user.id),
    rules: entryRules,
    details: formDetails(ENTRY_DETAILS),
    draft: again[0] && draftOf(again[0]),
    justSaved,
    day: new Set(justSaved.map(({ date }) => date)).size === 1 ? (day[0]?.hundredths ?? null) : null,
    saved: context.flash?.saved ?? null,
    hasUndo: Boolean(context.flash?.toast?.undo),
    dialog: await dialogFromRows(context, entryKind, url, requestable),
  };
});

export default function Profile() {
  const {
    user,
    log,
    totals,
    target,
    today,
    formKey,
    rules,
    details,
    saved,
    draft,
    justSaved,
    day,
    dialog,
    isUnconfirmed,
    isNameless,
  } = useLoaderData<typeof loader>();
  const places = [...new Set(log.records.map(({ location }) => location))].slice(0, 10);
  const isNewestPage = log.newerHref === null && log.found === null;
  const days = hoursOfDates(log.records);
  const sum = (of: "count" | "hundredths" | "verified" | "requested" | "pending") =>
    totals.reduce((all, total) => all + total[of], 0);
  const count = sum("count");
  const [verified, requested, pending] = [sum("verified"), sum("requested"), sum("pending")];
  const declined = sum("hundredths") - verified - requested - pending;
  return (
    <SignedInLayout current="/profile" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
      <UserCard user={user}>
        {verified > 0 && (
          <p className="sum">
            <State of="verified">{`${formatHours(verified)} h verified`}</State>
          </p>
        )}
        {isUnconfirmed && (
          <p>
            <State of="requested">
              <a href="/account">Confirm your email</a>
            </State>
          </p>
        )}
      </UserCard>
      <JustSaved kind={entryKind} saved={justSaved} day={day}>
        <a href={`/rope-hours?with=${justSaved.at(-1)?.id}`}>Also log rope hours</a>
      </JustSaved>
      <section aria-labelledby="new">
        <h2 id="new">Add New OJT Hours</h2>
        {isNewestPage && <SameJobAgain kind={entryKind} records={log.records} />}
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, details, draft, days, saved, places, reply: null }}
        />
      </section>
      {count === 0 && <FirstSteps />}
      <section className="readings" aria-label="Your hours">
        <Gauge {...(target ?? { verified, requested, pending, declined })} required={target?.required}>
          {target && <TargetLine target={target} />}
        </Gauge>
        <ExportUnderLog
          form="ojt"
          name={user.name}
          formKey={formKey}
          hasVerified={verified > 0}
          isNameless={isNameless === true}
        />
      </section>
      <section aria-labelledby="log">
        <header className="head">
          <h2 id="log">Experience Hours (OJT) Log</h2>
          {count > 0 && <span className="hint">{countRecords(count)}</span>}
        </header>
        <EntryLog page={log} totals={totals} />
      </section>
      <SignatureBlock name={displayName(user)} today={today} />
    </SignedInLayout>
  );
}

/** The user's name, or New User without one, and the employee number if set; then what the page says of their hours. */
function UserCard({ user: { name, employeeNumber }, children }: { user: User; children: ReactNode }) {
  return (
    <section className="person" aria-label="Your account">
      <div>
        <h1>{name || "New User"}</h1>
        {employeeNumber && <p className="hint">{`Employee # ${employeeNumber}`}</p>}
        {!name && (
          <p>
            <a href="/account">Add your name and employee number</a>
          </p>
        )}
      </div>
      {children}
    </section>
  );
}

/** What a target still needs, below the gauge of its hours, and the way to its progress. */
function TargetLine({ target: { title, methods, remaining } }: { target: TargetHours }) {
  return (
    <p className="apart">
      <a href="/progress">{`${remaining === 0 ? "Reached" : `${formatHours(remaining)} h to go`}: ${title}`}</a>
      <span className="hint">{methods.map(methodLabel).join(", ")}</span>
    </p>
  );
}

const STEPS = [
  ["Log", "Enter the hours of your last shift in the form above."],
  ["Ask", "Send your supervisor a link. They need no account."],
  ["Export", "Verified hours become a form that an auditor can check."],
] as const;

/** What a new technician does, before there is a log. It stands below the form, which is the first step and is first on a phone. */
function FirstSteps() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">How it works</h2>
      <ol className="steps">
        {STEPS.map(([name, text], index) => (
          <li key={name}>
            <span className="hours" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{name}</b>
              <p className="hint">{text}</p>
              {index === 0 && (
                <a className="second" href="/import">
                  Import earlier hours
                </a>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
