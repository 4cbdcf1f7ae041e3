import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import type { Form } from "#app/pdf/form.ts";
import { FORM_KINDS } from "#app/pdf/form-kinds.ts";
import css from "#app/pdf/print.css?inline";
import { QrSymbol } from "#app/pdf/print-foot.tsx";
import { renderSheets } from "#app/pdf/print-sheets.server.tsx";
import { printedPerson, printedRecords, verifiedQueries } from "#app/proof/create-export.server.ts";
import { findOwnExport, formOf, formOfSnapshot } from "#app/proof/own-exports.server.ts";
import { formListOf, type Kind, kindOf } from "#app/records/kinds.ts";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { STREAMED } from "#app/ui/page-context.tsx";

/**
 * The form of a log as a page to print (spec section 9), for browsers without script or in which the PDF failed: of one
 * export, or without an id of what is verified now, without a code.
 */

export const handle = { heavy: true, css } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.form.title ?? "Print"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const form =
    params.id === undefined
      ? await formWithoutCode(context, kind)
      : formOf(await findOwnExport(context, kind.name, parseId(params.id)));
  context.streamed = renderSheets(form);
  const { title, kind: formKind, proof } = form;
  return { form: { title, kind: formKind, proof }, back: kind.path };
});

/** @throws {Response} a redirect to the log if nothing is verified */
async function formWithoutCode(context: AppLoadContext, kind: Kind): Promise<Form> {
  const { user, ...rows } = await requireUser(context, (owner, db) => verifiedQueries(db, kind, owner));
  if (rows.verified.length === 0) {
    const toast = FORM_KINDS[formListOf(kind)].nothingVerified;
    throw await redirectTo(context, kind.path, { toast });
  }
  const person = printedPerson(user);
  const madeOn = toCalendarDate(context.timeZone, context.now);
  const records = await printedRecords(kind, person, rows);
  return formOfSnapshot({ kind: kind.name, madeOn, ...person, records }, null);
}

export default function Print() {
  const { form, back } = useLoaderData<typeof loader>();
  return (
    <main>
      <p className="print-hint">
        Print this page or save it as PDF. <a href={back}>Back to the log</a>
      </p>
      {form.proof && <QrSymbol id="check-qr" qr={form.proof.qr} />}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, in whose place the sheets are streamed */}
      <article className={`form ${form.kind}`} dangerouslySetInnerHTML={{ __html: STREAMED }} />
    </main>
  );
}
