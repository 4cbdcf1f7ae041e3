import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { displayName } from "#app/accounts/user.ts";
import { UserCard } from "#app/accounts/user-card.tsx";
import { dateIn } from "#app/hours/calendar-date.ts";
import { findEntry, listEntries, totalsByMethod } from "#app/hours/entries.server.ts";
import EntryForm from "#app/hours/entry-form.island.tsx";
import { EntryLog } from "#app/hours/entry-log.tsx";
import { entryRules } from "#app/hours/entry-rules.server.ts";
import { placeFrom, placeOf } from "#app/hours/log-page.ts";
import { SignatureBlock } from "#app/hours/signature-block.tsx";
import { idFrom } from "#app/http/api.server.ts";
import { page } from "#app/http/page.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import type { RouteHandle } from "#app/http/route.ts";
import { Island } from "#app/islands/island.tsx";
import ExportButton from "#app/pdf/export-button.island.tsx";
import { supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";
import { Shell } from "#app/ui/page.tsx";
import { Warnings } from "#app/ui/toast.tsx";
import { findRequestMail } from "#app/verification/mail.server.ts";
import { mailNotice } from "#app/verification/mail-notice.ts";
import { verificationUrl } from "#app/verification/request.server.ts";
import { LinkDialog, RequestDialog, SentDialog } from "#app/verification/request-dialog.tsx";

/** How many entries the page shows; older ones are a link away. */
const SHOWN = 500;

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "OJT Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const { searchParams } = new URL(request.url);
  const isMailed = searchParams.has("mailed");
  const asked = searchParams.get("request") ?? searchParams.get("mailed");
  const requestedId = asked === null ? null : idFrom(asked);
  const { user, entries, totals, requested, supervisors, mails } = await requireUser(context, (owner, db) => ({
    // One more than is shown tells whether there are older ones.
    entries: listEntries(db, owner, { before: placeFrom(searchParams.get("before")), limit: SHOWN + 1 }),
    totals: totalsByMethod(db, owner),
    requested: findEntry(db, owner, requestedId ?? 0),
    supervisors: listSupervisors(db, owner),
    mails: findRequestMail(db, owner, "entry", requestedId ?? 0),
  }));
  const [entry] = requested;
  // Who looks at a request that was verified meanwhile has nothing left to do here.
  if (entry?.verified && (isMailed || searchParams.has("link"))) throw await redirectTo(context, "/profile");
  if (requestedId !== null && (!entry || entry.verified)) {
    const text = entry ? "This entry is already verified." : "There is no such entry in your log.";
    throw await redirectTo(context, "/profile", { toast: { kind: "error", title: "Error", text } });
  }
  const shown = entries.slice(0, SHOWN);
  const last = shown.at(-1);
  const notice = mailNotice(mails[0], supervisors);
  return {
    user,
    entries: shown,
    totals,
    olderHref: entries.length > SHOWN && last ? `/profile?before=${placeOf(last)}` : null,
    today: dateIn(context.timeZone, context.now),
    formKey: crypto.randomUUID(),
    rules: entryRules,
    saved: context.flash?.saved ?? null,
    dialog: entry && {
      entry,
      supervisors,
      rules: supervisorRules,
      url:
        (isMailed || searchParams.has("link")) && entry.verificationToken
          ? verificationUrl(context, entry.verificationToken)
          : null,
      notice,
      isMailed: isMailed && notice?.isUnderWay === true,
    },
  };
});

export default function Profile() {
  const { user, entries, totals, olderHref, today, formKey, rules, saved, dialog } = useLoaderData<typeof loader>();
  const places = [...new Set(entries.map(({ location }) => location))].slice(0, 10);
  const verified = totals.some(({ verifiedCount }) => verifiedCount > 0);
  return (
    <Shell
      current="/profile"
      dialog={
        dialog &&
        (dialog.isMailed ? (
          <SentDialog />
        ) : dialog.url ? (
          <LinkDialog entry={dialog.entry} url={dialog.url} notice={dialog.notice} />
        ) : (
          <RequestDialog
            entry={dialog.entry}
            supervisors={dialog.supervisors}
            formKey={formKey}
            rules={dialog.rules}
            reply={null}
          />
        ))
      }
    >
      <Warnings />
      <UserCard user={user}>
        <Island
          of={ExportButton}
          name="pdf/export-button"
          when="interaction"
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
