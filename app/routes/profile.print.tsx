import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { dateIn } from "#app/hours/calendar-date.ts";
import { listVerifiedEntries } from "#app/hours/entries.server.ts";
import { page } from "#app/http/page.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import type { RouteHandle } from "#app/http/route.ts";
import { NOTHING_VERIFIED } from "#app/pdf/export-toasts.ts";
import { experienceForm } from "#app/pdf/form.ts";
import css from "#app/pdf/print.css?inline";
import { PrintForm } from "#app/pdf/print-form.tsx";

export const handle = { css } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Experience Hours (OJT) · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user, entries } = await requireUser(context, (owner, db) => ({ entries: listVerifiedEntries(db, owner) }));
  if (entries.length === 0) throw await redirectTo(context, "/profile", { toast: NOTHING_VERIFIED });
  return { user, form: experienceForm(user, entries, dateIn(context.timeZone, context.now)) };
});

export default function Print() {
  const { form } = useLoaderData<typeof loader>();
  return (
    <main>
      <PrintForm form={form} />
    </main>
  );
}
