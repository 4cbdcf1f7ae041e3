import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { Island } from "#app/client/island.tsx";
import { findDeleted } from "#app/corrections/delete.server.ts";
import { DeletedNotice } from "#app/corrections/deleted-notice.tsx";
import { formatCursor, parseCursor } from "#app/records/cursor.ts";
import { formatHours } from "#app/records/hours.ts";
import RopeForm from "#app/records/rope-hours/rope-form.island.tsx";
import { listRopeHours, totalVerifiedRopeHours } from "#app/records/rope-hours/rope-hours.server.ts";
import { RopeLog } from "#app/records/rope-hours/rope-log.tsx";
import { ropeHoursRules } from "#app/records/rope-hours/rope-rules.server.ts";
import { parseId } from "#app/server/id.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { dialogFromRows, dialogQueries } from "#app/verification/requests/dialog.server.ts";
import { VerificationDialog } from "#app/verification/requests/request-dialog.tsx";

/** How many records the page shows; older ones are a link away. */
const SHOWN = 500;

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Rope Hours · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const url = new URL(request.url);
  const before = parseCursor(url.searchParams.get("before"));
  const { user, records, total, deleted, ...requestable } = await requireUser(context, (owner, db) => ({
    // One more than is shown tells whether there are older ones.
    records: listRopeHours(db, owner, { before, limit: SHOWN + 1 }),
    total: totalVerifiedRopeHours(db, owner),
    ...dialogQueries(db, owner, "rope_hour", url),
    deleted: findDeleted(db, owner, "rope_hour", parseId(url.searchParams.get("deleted")), context.now),
  }));
  const shown = records.slice(0, SHOWN);
  const last = records.length > SHOWN ? shown.at(-1) : null;
  return {
    user,
    records: shown,
    total: total[0]?.hundredths ?? 0,
    isFirst: before === null,
    olderHref: last ? `/rope-hours?before=${formatCursor({ date: last.startDate, id: last.id })}` : null,
    formKey: crypto.randomUUID(),
    rules: ropeHoursRules,
    saved: context.flash?.saved ?? null,
    deletedId: deleted[0]?.id ?? null,
    dialog: await dialogFromRows(context, "rope_hour", url, requestable),
  };
});

export default function RopeHours() {
  const { user, records, total, isFirst, olderHref, formKey, rules, saved, deletedId, dialog } =
    useLoaderData<typeof loader>();
  const places = [...new Set(records.map(({ location }) => location))].slice(0, 10);
  return (
    <SignedInLayout current="/rope-hours" dialog={dialog && <VerificationDialog dialog={dialog} formKey={formKey} />}>
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
          name="records/rope-hours/rope-form"
          when="interaction"
          props={{ userId: user.id, formKey, rules, saved, places, reply: null }}
        />
      </section>
      <section aria-labelledby="history">
        <h2 id="history">History</h2>
        <RopeLog records={records} olderHref={olderHref} isFirst={isFirst} />
      </section>
    </SignedInLayout>
  );
}
