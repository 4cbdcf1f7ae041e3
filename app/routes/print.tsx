import type { AppLoadContext, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { toCalendarDate } from "#app/calendar-date.ts";
import { AppError } from "#app/errors.ts";
import type { Form } from "#app/pdf/form.ts";
import { FORMS, formsBelow } from "#app/pdf/forms.ts";
import css from "#app/pdf/print.css?inline";
import { renderForm } from "#app/pdf/print-form.tsx";
import { findOwnExport, formOf, formOfSnapshot } from "#app/proof/own-exports.server.ts";
import {
  choiceSchema,
  chosenOf,
  leftOutOf,
  printedPerson,
  printRecords,
  readVerified,
  requireSome,
  toastOf,
} from "#app/proof/verified-records.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { openStream } from "#app/server/stream.server.ts";
import { STREAMED } from "#app/ui/page.tsx";

/**
 * A form as a page to print (spec section 9), for browsers without script or in which the PDF failed: of one export, or
 * without an id of what is verified now, without a code. `?form=`, `from`, `to` and `supervisorId` choose as an export does.
 */

export const handle = { heavy: true, css } satisfies RouteHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.form.title ?? "Print"} · Hours Tracker` },
];

export const loader = page(async ({ params, context }) => {
  const { path } = kindOf(context);
  const form =
    params.id === undefined
      ? await formWithoutCode(context, path)
      : await formOf(await findOwnExport(context, path, parseId(params.id)));
  openStream(context, renderForm(form));
  const { title, name } = form;
  return { form: { title, name }, back: path };
});

/** @throws {Response} a redirect to the log if nothing is verified, or more than a form can have */
async function formWithoutCode(context: AppLoadContext, log: string): Promise<Form> {
  const [first] = formsBelow(log);
  const choice = choiceSchema.safeParse({ form: first, ...Object.fromEntries(context.url.searchParams) });
  if (!choice.success || FORMS[choice.data.form].log !== log) {
    const message = choice.error?.issues[0]?.message ?? "This form is not printed here.";
    throw new AppError("invalid", message);
  }
  const { user, ...rows } = await readVerified(context, choice.data);
  try {
    requireSome(choice.data, rows);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error;
    throw await redirectTo(context, log, { toast: toastOf(error) });
  }
  const person = printedPerson(user);
  const madeOn = toCalendarDate(context.timeZone, context.now);
  const { form } = choice.data;
  const records = await printRecords(form, person, madeOn, rows);
  const which = { chosen: chosenOf(choice.data, records), leftOut: leftOutOf(rows.others) };
  return formOfSnapshot({ form, madeOn, ...which, ...person, records }, null);
}

export default function Print() {
  const { form, back } = useLoaderData<typeof loader>();
  return (
    <main>
      <p className="print-hint">
        Print this page or save it as PDF. <a href={back}>Back to the log</a>
      </p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, in whose place the form is streamed */}
      <article className={`form ${form.name}`} dangerouslySetInnerHTML={{ __html: STREAMED }} />
    </main>
  );
}
