import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { Shell } from "#app/accounts/shell.tsx";
import { displayName } from "#app/accounts/user.ts";
import { UserCard } from "#app/accounts/user-card.tsx";
import { findDeleted } from "#app/corrections/delete.server.ts";
import { DeletedNotice } from "#app/corrections/deleted-notice.tsx";
import { dateIn } from "#app/hours/calendar-date.ts";
import { listEntries, totalsByMethod } from "#app/hours/entries.server.ts";
import EntryForm from "#app/hours/entry-form.island.tsx";
import { EntryLog } from "#app/hours/entry-log.tsx";
import { entryRules } from "#app/hours/entry-rules.server.ts";
import { placeFrom, placeOf } from "#app/hours/log-page.ts";
import { SignatureBlock } from "#app/hours/signature-block.tsx";
import { held } from "#app/http/held.ts";
import { idFrom } from "#app/http/id.ts";
import { page } from "#app/http/page.server.ts";
import type { RouteHandle } from "#app/http/route.ts";
import { Island } from "#app/islands/island.tsx";
import ExportButton from "#app/pdf/export-button.island.tsx";
import { Warnings } from "#app/ui/toast.tsx";
import { dialogOf, dialogWith } from "#app/verification/dialog.server.ts";
import { VerificationDialog } from "#app/verification/request-dialog.tsx";

/** How many entries the page shows; older ones are a link away. */
const SHOWN = 500;

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "OJT Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const { user, entries, totals, deleted, ...requestable } = await requireUser(context, (owner, db) => ({
    // One more than is shown tells whether there are older ones.
    entries: listEntries(db, owner, { before: placeFrom(url.searchParams.get("before")), limit: SHOWN + 1 }),
    totals: totalsByMethod(db, owner),
    ...dialogWith(db, owner, "entry", url),
    deleted: findDeleted(db, owner, "entry", idFrom(url.searchParams.get("deleted")), context.now),
  }));
  const shown = entries.slice(0, SHOWN);
  const last = shown.at(-1);
  return {
    user,
    shown: held(shown),
    totals,
    olderHref: entries.length > SHOWN && last ? `/profile?before=${placeOf(last)}` : null,
    today: dateIn(context.timeZone, context.now),
    formKey: crypto.randomUUID(),
    rules: entryRules,
    saved: context.flash?.saved ?? null,
    deletedId: deleted[0]?.id ?? null,
    dialog: await dialogOf(context, "entry", url, requestable),
  };
});

export default function Profile() {
  const { user, shown, totals, olderHref, today, formKey, rules, saved, deletedId, dialog } =
    useLoaderData<typeof loader>();
  const entries = shown.value;
  const places = [...new Set(entries.map(({ location }) => location))].slice(0, 10);
  const verified = totals.some(({ verifiedCount }) => verifiedCount > 0);
  return (
    <Shell current="/profile" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
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
          name="hours/entry-form"
          when="interaction"
          props={{ userId: user.id, formKey, today, rules, saved, places, reply: null }}
        />
      </section>
      <section aria-labelledby="log">
        <h2 id="log">Experience Hours (OJT) Log</h2>
        <EntryLog entries={entries} totals={totals} olderHref={olderHref} />
      </section>
      <SignatureBlock name={displayName(user)} today={today} />
    </Shell>
  );
}
