import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed, kindOf } from "#app/records/all-kinds.ts";
import { logHref } from "#app/records/kind.ts";
import { logQueryFrom } from "#app/records/log-page.server.ts";
import { withoutOwner } from "#app/records/queries.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { requestFailure, requestFlash } from "#app/verification/requests/mail-status.ts";
import { supervisorsToAsk } from "#app/verification/requests/own-requests.server.ts";
import { findRequestable, requestRecord } from "#app/verification/requests/request.server.ts";
import { newSupervisorFacts, RequestDialog } from "#app/verification/requests/request-dialog.tsx";
import {
  type Choice,
  isNewSupervisor,
  newSupervisorForm,
  savedSupervisorForm,
} from "#app/verification/verification.schema.ts";

/** The action of the dialog `?request={id}` on the page of each kind, and the page with its errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Request Verification · Hours Tracker" }];

export const loader = page(async ({ request, params, context }) => {
  const kind = kindOf(context);
  const { user, record, ...found } = await findRequestable(context, kind, parseId(params.id));
  return {
    user,
    kind: kind.name,
    record: withoutOwner(record),
    supervisors: supervisorsToAsk(context, found, {
      needs: kind.supervisorNeeds,
      asked: found.open[0],
    }),
    formKey: parseFormKey(params.key) ?? crypto.randomUUID(),
    ...newSupervisorFacts(kind),
    params: logQueryFrom(kind, new URL(request.url)).params,
  };
});

export const action = formAction(
  { failed: requestFailure, showsErrors: true },
  async ({ request, params, context }, form) => {
    const kind = kindOf(context);
    const id = parseId(params.id);
    const key = parseFormKey(params.key);
    const fields = await readForm(request);
    const value = form.parse(
      fields,
      isNewSupervisor(fields) ? newSupervisorForm(kind.supervisorNeeds) : savedSupervisorForm,
    );
    const requested = await requestRecord(context, kind, id, choiceOf(value, key));
    const { params: logParams } = logQueryFrom(kind, new URL(request.url));
    const dialog = logHref(kind.path, { request: String(id), link: "1", ...logParams });
    // The dialog confirms that an email was sent: only why none was is passed on.
    const { heldBack } = requestFlash(requested, context.timeZone) ?? {};
    return redirectTo(context, dialog, heldBack ? { heldBack } : undefined);
  },
);

type FormValue = z.output<ReturnType<typeof newSupervisorForm>> | z.output<typeof savedSupervisorForm>;

function choiceOf(value: FormValue, key: string | null): Choice {
  if (value.supervisor !== "new") return { supervisorId: value.supervisor, key };
  const { supervisor: _, ...newSupervisor } = value;
  return { newSupervisor, key };
}

export default function RequestVerification() {
  const answer = useActionData<typeof action>();
  const { user: _, kind: name, ...facts } = useLoaderData<typeof loader>();
  const kind = kindNamed(name);
  return (
    <SignedInLayout
      current={kind.tab}
      toast={answer?.failure}
      dialog={<RequestDialog kind={kind} reply={answer?.reply ?? null} {...facts} />}
    />
  );
}
