import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { NOTHING_VERIFIED } from "#app/pdf/export-toasts.ts";
import { experienceForm } from "#app/pdf/form.ts";
import css from "#app/pdf/print.css?inline";
import { PrintForm } from "#app/pdf/print-form.tsx";
import { listVerifiedEntries } from "#app/records/entry/entries.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";

export const handle = { css } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Experience Hours (OJT) · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user, entries } = await requireUser(context, (owner, db) => ({ entries: listVerifiedEntries(db, owner) }));
  if (entries.length === 0) throw await redirectTo(context, "/profile", { toast: NOTHING_VERIFIED });
  return { user, form: experienceForm(user, entries, toCalendarDate(context.timeZone, context.now)) };
});

export default function Print() {
  const { form } = useLoaderData<typeof loader>();
  return (
    <main>
      <PrintForm form={form} />
    </main>
  );
}
