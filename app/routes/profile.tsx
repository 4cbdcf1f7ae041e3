import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName } from "#app/accounts/user.ts";
import { UserCard } from "#app/accounts/user-card.tsx";
import { Island } from "#app/client/island.tsx";
import { findDeleted } from "#app/corrections/delete.server.ts";
import { DeletedNotice } from "#app/corrections/deleted-notice.tsx";
import ExportButton from "#app/pdf/export-button.island.tsx";
import { formatCursor, parseCursor } from "#app/records/cursor.ts";
import { listEntries, totalsByMethod } from "#app/records/entry/entries.server.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { EntryLog } from "#app/records/entry/entry-log.tsx";
import { entryRules } from "#app/records/entry/entry-rules.server.ts";
import { SignatureBlock } from "#app/records/signature-block.tsx";
import { held } from "#app/server/held.ts";
import { parseId } from "#app/server/id.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { Warnings } from "#app/ui/toast.tsx";
import { dialogFromRows, dialogQueries } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

/** How many entries the page shows; older ones are a link away. */
const SHOWN = 500;

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "OJT Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const { user, entries, totals, deleted, ...requestable } = await requireUser(context, (owner, db) => ({
    // One more than is shown tells whether there are older ones.
    entries: listEntries(db, owner, { before: parseCursor(url.searchParams.get("before")), limit: SHOWN + 1 }),
    totals: totalsByMethod(db, owner),
    ...dialogQueries(db, owner, "entry", url),
    deleted: findDeleted(db, owner, "entry", parseId(url.searchParams.get("deleted")), context.now),
  }));
  const shown = entries.slice(0, SHOWN);
  const last = shown.at(-1);
  return {
    user,
    shown: held(shown),
    totals,
    olderHref: entries.length > SHOWN && last ? `/profile?before=${formatCursor(last)}` : null,
    today: toCalendarDate(context.timeZone, context.now),
    formKey: crypto.randomUUID(),
    rules: entryRules,
    saved: context.flash?.saved ?? null,
    deletedId: deleted[0]?.id ?? null,
    dialog: await dialogFromRows(context, "entry", url, requestable),
  };
});

export default function Profile() {
  const { user, shown, totals, olderHref, today, formKey, rules, saved, deletedId, dialog } =
    useLoaderData<typeof loader>();
  const entries = shown.value;
  const places = [...new Set(entries.map(({ location }) => location))].slice(0, 10);
  const verified = totals.some(({ verifiedCount }) => verifiedCount > 0);
  return (
    <SignedInLayout current="/profile" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
      <Warnings />
      {deletedId && <DeletedNotice kind="entry" id={deletedId} />}
      <UserCard user={user}>
        <Island
          of={ExportButton}
          name="pdf/export-button"
          when={verified ? "intent" : "interaction"}
          props={{
            user: { name: user.name, email: user.email, employeeNumber: user.employeeNumber },
            disabled: !verified,
          }}
        />
      </UserCard>
      <section aria-labelledby="new">
        <h2 id="new">Add New OJT Hours</h2>
        <Island
          of={EntryForm}
          name="records/entry/entry-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, saved, places, reply: null }}
        />
      </section>
      <section aria-labelledby="log">
        <h2 id="log">Experience Hours (OJT) Log</h2>
        <EntryLog entries={entries} totals={totals} olderHref={olderHref} />
      </section>
      <SignatureBlock name={displayName(user)} today={today} />
    </SignedInLayout>
  );
}
