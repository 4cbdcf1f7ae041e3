import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { askForName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction, type SubmittedForm } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { type FormList, readForm } from "#app/forms/read-form.server.ts";
import { logHref } from "#app/records/kind.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { requestFailure, requestFlash } from "#app/verification/requests/mail-status.ts";
import { findNewRequestPage, newRequestHref } from "#app/verification/requests/new-page.server.ts";
import newRequestStyles from "#app/verification/requests/new-request.css?inline";
import { NewRequestScreen } from "#app/verification/requests/new-request-screen.tsx";
import { requestRecords } from "#app/verification/requests/request.server.ts";
import {
  type NewRequest as Chosen,
  ITEMS_MAX,
  isNewSupervisor,
  newRequestForm,
  savedRequestForm,
} from "#app/verification/verification.schema.ts";

/**
 * The page that chooses records and a supervisor. Its form posts to `/requests/new/{key}` with the page's filter, which is
 * the page with the form's errors.
 */
export const handle = { script: true, css: styles + signedInStyles + newRequestStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "New Request · Hours Tracker" }];

/** The boxes of the records. Those that are not checked are not sent. */
const BOXES: FormList = { name: "records", columns: ["key"], rowsMax: ITEMS_MAX };

export const loader = page(async ({ request, params, context }) => {
  const key = parseFormKey(params.key) ?? crypto.randomUUID();
  const { filter, before, ...facts } = await findNewRequestPage(context, new URL(request.url));
  await askForName(context, request, facts.user);
  return {
    ...facts,
    filter,
    action: logHref(`/requests/new/${key}`, { ...filter, before: before ?? "" }),
    allHref: newRequestHref(filter, before, { all: "1" }),
    noneHref: newRequestHref(filter, before),
    isFirst: before === null,
  };
});

export const action = formAction(
  { failed: requestFailure, showsErrors: true },
  async ({ request, params, context }, form) => {
    const key = parseFormKey(params.key);
    const fields = await readForm(request, BOXES);
    const created = await requestRecords(context, { key, ...chosenIn(form, fields) });
    return redirectTo(context, `/requests/${created.request.id}`, requestFlash(created, context.timeZone));
  },
);

function chosenIn(form: SubmittedForm, fields: FormData): Chosen {
  if (!isNewSupervisor(fields)) {
    const { supervisor: supervisorId, records } = form.parse(fields, savedRequestForm);
    return { supervisorId, records };
  }
  const { supervisor: _, records, ...newSupervisor } = form.parse(fields, newRequestForm(fields));
  return { newSupervisor, records };
}

export default function NewRequest() {
  const answer = useActionData<typeof action>();
  const { user: _, ...facts } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current="/requests" toast={answer?.failure}>
      <NewRequestScreen {...facts} reply={answer?.reply ?? null} />
    </SignedInLayout>
  );
}
