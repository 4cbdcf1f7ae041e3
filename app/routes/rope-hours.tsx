import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName, lacksName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { toCalendarDate } from "#app/calendar-date.ts";
import { Island } from "#app/client/island.tsx";
import type { Db, Owner } from "#app/db/client.server.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { logCss } from "#app/log-css.ts";
import { ExportUnderLog } from "#app/pdf/export-screen.tsx";
import { formDetails, ROPE_DETAILS } from "#app/records/details.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { formatHours } from "#app/records/hours.ts";
import { logPageQueries, logQueryFrom, readLogPage } from "#app/records/log-page.server.ts";
import { JustSaved, SameJobAgain } from "#app/records/new-records.tsx";
import { findRecord, isOwn, SUM_OF_HOURS, savedTogether } from "#app/records/queries.server.ts";
import { records } from "#app/records/records.table.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { ropeHoursKind, ropeHoursRules } from "#app/records/rope-hours/rope-hours.kind.ts";
import { RopeLog } from "#app/records/rope-hours/rope-log.tsx";
import { draftOf } from "#app/records/rope-hours/rope-rules.ts";
import ropeHoursStyles from "#app/rope-hours.css?inline";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { LAST_DECLINE, LAST_END } from "#app/verification/decision.server.ts";
import { asksToRequest, dialogFromRows, dialogQueries } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

export const handle = { script: true, css: logCss(ropeHoursStyles) } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

/** The sum of verified rope hours (spec section 9) in hundredths, which SQLite adds exactly. */
function totalVerifiedRopeHours(db: Db, owner: Owner) {
  return db
    .select({ hundredths: SUM_OF_HOURS.as("total") })
    .from(records)
    .where(sql`${isOwn(owner, ropeHoursKind)} AND verified = 1`);
}

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const query = logQueryFrom(ropeHoursKind, url);
  const source = { now: context.now, decline: LAST_DECLINE, ended: LAST_END };
  const [againId, withId] = [url.searchParams.get("again"), url.searchParams.get("with")].map(parseId);
  // Only right after saving: the address may be opened again, or kept.
  const savedId = context.flash?.saved ? parseId(url.searchParams.get("saved")) : 0;
  const today = toCalendarDate(context.timeZone, context.now);
  const {
    user,
    log,
    total,
    again = [],
    shift = [],
    justSaved = [],
    ...requestable
  } = await requireUser(context, (owner, db) => ({
    log: logPageQueries(db, owner, ropeHoursKind, query, source),
    total: totalVerifiedRopeHours(db, owner),
    ...(againId && { again: findRecord(db, owner, ropeHoursKind, againId) }),
    ...(withId && { shift: findRecord(db, owner, entryKind, withId) }),
    ...(savedId && { justSaved: savedTogether(db, owner, ropeHoursKind, savedId, 1) }),
    ...dialogQueries(db, owner, ropeHoursKind, url),
  }));
  if (asksToRequest(url)) await askForName(context, request, user);
  const page = await readLogPage(context, user.id, ropeHoursKind, query, source, log);
  return {
    user,
    isNameless: await lacksName(context, request, user),
    log: page,
    isEmpty: page.records.length === 0 && Object.keys(query.params).length === 0,
    total: total[0]?.hundredths ?? 0,
    formKey: newFormKey(user.id),
    today,
    rules: ropeHoursRules,
    details: formDetails(ROPE_DETAILS),
    draft: draftOf({ again: again[0], shift: shift[0] }, today),
    justSaved,
    saved: context.flash?.saved ?? null,
    hasUndo: Boolean(context.flash?.toast?.undo),
    dialog: await dialogFromRows(context, ropeHoursKind, url, requestable),
  };
});

export default function RopeHours() {
  const { user, isNameless, log, isEmpty, total, formKey, today, rules, details, saved, draft, justSaved, dialog } =
    useLoaderData<typeof loader>();
  const places = [...new Set(log.records.map(({ location }) => location))].slice(0, 10);
  return (
    <SignedInLayout current="/rope-hours" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
      <h1>Rope Hours</h1>
      <JustSaved kind={ropeHoursKind} saved={justSaved} />
      <section aria-labelledby="new">
        <h2 id="new">Add rope hours</h2>
        {log.newerHref === null && log.found === null && <SameJobAgain kind={ropeHoursKind} records={log.records} />}
        <Island
          of={RopeForm}
          name="records/rope-hours/rope-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, details, draft, saved, places, reply: null }}
        />
      </section>
      <dl className="total">
        <div>
          <dt>Total Verified Hours</dt>
          <dd className="hours">{formatHours(total)}</dd>
        </div>
        {log.found && (
          <div>
            <dt>Verified hours shown by the filter</dt>
            <dd className="hours">{formatHours(log.found.verified)}</dd>
          </div>
        )}
      </dl>
      <div className="form">
        <ExportUnderLog
          form="rope-access-log"
          name={user.name}
          formKey={formKey}
          hasVerified={total > 0}
          isNameless={isNameless}
        />
      </div>
      <section aria-labelledby="log">
        <h2 id="log">History</h2>
        <RopeLog page={log} isEmpty={isEmpty} />
      </section>
    </SignedInLayout>
  );
}
