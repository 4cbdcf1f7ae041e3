import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { Shell } from "#app/accounts/shell.tsx";
import { findDeleted } from "#app/corrections/delete.server.ts";
import { DeletedNotice } from "#app/corrections/deleted-notice.tsx";
import { formatHours } from "#app/hours/hours.ts";
import { placeFrom, placeOf } from "#app/hours/log-page.ts";
import RopeForm from "#app/hours/rope-form.island.tsx";
import { listRopeHours, totalVerifiedRopeHours } from "#app/hours/rope-hours.server.ts";
import { RopeLog } from "#app/hours/rope-log.tsx";
import { ropeHoursRules } from "#app/hours/rope-rules.server.ts";
import { idFrom } from "#app/http/id.ts";
import { page } from "#app/http/page.server.ts";
import type { RouteHandle } from "#app/http/route.ts";
import { Island } from "#app/islands/island.tsx";
import { dialogOf, dialogWith } from "#app/verification/dialog.server.ts";
import { VerificationDialog } from "#app/verification/request-dialog.tsx";

/** How many records the page shows; older ones are a link away. */
const SHOWN = 500;

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const before = placeFrom(url.searchParams.get("before"));
  const { user, records, total, deleted, ...requestable } = await requireUser(context, (owner, db) => ({
    // One more than is shown tells whether there are older ones.
    records: listRopeHours(db, owner, { before, limit: SHOWN + 1 }),
    total: totalVerifiedRopeHours(db, owner),
    ...dialogWith(db, owner, "rope_hour", url),
    deleted: findDeleted(db, owner, "rope_hour", idFrom(url.searchParams.get("deleted")), context.now),
  }));
  const shown = records.slice(0, SHOWN);
  const last = records.length > SHOWN ? shown.at(-1) : null;
  return {
    user,
    records: shown,
    total: total[0]?.hundredths ?? 0,
    isFirst: before === null,
    olderHref: last ? `/rope-hours?before=${placeOf({ date: last.startDate, id: last.id })}` : null,
    formKey: crypto.randomUUID(),
    rules: ropeHoursRules,
    saved: context.flash?.saved ?? null,
    deletedId: deleted[0]?.id ?? null,
    dialog: await dialogOf(context, "rope_hour", url, requestable),
  };
});

export default function RopeHours() {
  const { user, records, total, isFirst, olderHref, formKey, rules, saved, deletedId, dialog } =
    useLoaderData<typeof loader>();
  const places = [...new Set(records.map(({ location }) => location))].slice(0, 10);
  return (
    <Shell current="/rope-hours" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
      <h1>Rope Hours</h1>
      {deletedId && <DeletedNotice kind="rope_hour" id={deletedId} />}
      <dl className="total">
        <dt>Total Verified Hours</dt>
        <dd className="hours">{formatHours(total)}</dd>
      </dl>
      <section aria-labelledby="new">
        <h2 id="new">Add rope hours</h2>
        <Island
          of={RopeForm}
          name="hours/rope-form"
          when="interaction"
          props={{ userId: user.id, formKey, rules, saved, places, reply: null }}
        />
      </section>
      <section aria-labelledby="history">
        <h2 id="history">History</h2>
        <RopeLog records={records} olderHref={olderHref} isFirst={isFirst} />
      </section>
    </Shell>
  );
}
