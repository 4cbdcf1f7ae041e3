import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asc, sql } from "drizzle-orm";
import { requireUser } from "#app/accounts/access.server.ts";
import type { Form } from "#app/pdf/form.ts";
import { FORM_KINDS } from "#app/pdf/form-kinds.ts";
import { formOfKind } from "#app/pdf/form-of-kind.ts";
import css from "#app/pdf/print.css?inline";
import { PrintForm } from "#app/pdf/print-form.tsx";
import { formOf } from "#app/proof/export-form.server.ts";
import { exportKindName } from "#app/proof/export-kinds.ts";
import { findOwnExport } from "#app/proof/own-exports.server.ts";
import { type Kind, kindOf } from "#app/records/kinds.ts";
import { selectRecords } from "#app/records/queries.server.ts";
import { records as recordsTable } from "#app/records/records.table.ts";
import { parseId } from "#app/server/id.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { MAILBOX_DOMAIN } from "#app/verification/decision.server.ts";

/** The form of a log as a page to print: of one export, or without an id of what is verified now, without a code. */

export const handle = { css } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.form.title ?? "Print"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const form =
    params.id === undefined
      ? await formWithoutCode(context, kind)
      : formOf(await findOwnExport(context, kind.name, parseId(params.id)));
  return { form, back: kind.path };
});

/** @throws {Response} a redirect to the log if nothing is verified */
async function formWithoutCode(context: AppLoadContext, kind: Kind): Promise<Form> {
  const { user, records } = await requireUser(context, (owner, db) => ({
    records: selectRecords(db, kind, {
      where: sql`user_id = ${owner} AND verified = 1`,
      orderBy: [asc(recordsTable.date), asc(recordsTable.id)],
      more: { domain: MAILBOX_DOMAIN.as("domain") },
    }),
  }));
  const name = exportKindName(kind);
  if (records.length === 0) throw await redirectTo(context, kind.path, { toast: FORM_KINDS[name].nothingVerified });
  return formOfKind(name, user, records, toCalendarDate(context.timeZone, context.now));
}

export default function Print() {
  const { form, back } = useLoaderData<typeof loader>();
  return (
    <main>
      <PrintForm form={form} back={back} />
    </main>
  );
}
