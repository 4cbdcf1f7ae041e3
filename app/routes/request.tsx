import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { AppError } from "#app/errors.ts";
import { formKeyFrom } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { kindNamed, kindOf } from "#app/records/kinds.ts";
import { withoutToken } from "#app/records/queries.server.ts";
import { idFrom } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import { emailLimitMessage } from "#app/verification/requests/mail-notice.ts";
import { findRequestable, requestVerification } from "#app/verification/requests/request.server.ts";
import { RequestDialog } from "#app/verification/requests/request-dialog.tsx";
import { type Choice, newSupervisorForm, savedSupervisorForm } from "#app/verification/verification.schema.ts";

/**
 * Where the dialogs of /profile?request={id} and /rope-hours?request={id} are sent, and the page on which they come
 * back with their messages. It stands twice in `routes.ts`, once for each kind of record.
 */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Request Verification · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const kind = kindOf(context);
  const { user, record, supervisors } = await findRequestable(context, kind, idFrom(params.id));
  return {
    user,
    kind: kind.name,
    record: withoutToken(record),
    supervisors,
    formKey: formKeyFrom(params.key) ?? crypto.randomUUID(),
    rules: supervisorRules,
  };
});

/** Spec section 8. */
const FAILED = "Failed to send verification request. Please try again.";

export const action = page(async ({ request, params, context }) => {
  const id = idFrom(params.id);
  const kind = kindOf(context);
  await findRequestable(context, kind, id);
  const key = formKeyFrom(params.key);
  const form = await readForm(request);
  const isNew = form.get("supervisor") === "new";
  const submission = isNew
    ? parseWithZod(form, { schema: newSupervisorForm })
    : parseWithZod(form, { schema: savedSupervisorForm });
  if (submission.status !== "success") return data({ reply: submission.reply(), toast: null }, { status: 400 });

  try {
    const { supervisor, emailed, held } = await requestVerification(context, kind, id, async () =>
      choiceOf(submission.value, key),
    );
    // Where nothing was sent, the dialog says why.
    const toast: Toast = { kind: "success", title: "Verification request sent" };
    const heldBack = held && emailLimitMessage(held, supervisor, context.timeZone);
    const flash = heldBack ? { heldBack } : emailed ? { toast } : undefined;
    throw await redirectTo(context, `${kind.path}?request=${id}&link`, flash);
  } catch (error) {
    if (error instanceof Response || (error instanceof AppError && error.status === 401)) throw error;
    if (error instanceof AppError && error.errors) {
      const fieldErrors = Object.fromEntries(error.errors.map(({ path, message }) => [path, [message]]));
      return data({ reply: submission.reply({ fieldErrors }), toast: null }, { status: error.status });
    }
    if (!(error instanceof AppError)) logError(error, request);
    const failed = isNew ? "Failed to create supervisor. Please try again." : FAILED;
    const text = error instanceof AppError ? error.message : failed;
    const toast: Toast = { kind: "error", title: "Error", text };
    return data({ reply: submission.reply(), toast }, { status: error instanceof AppError ? error.status : 500 });
  }
}, `${FAILED} ${GO_BACK}`);

type FormValue = z.output<typeof newSupervisorForm> | z.output<typeof savedSupervisorForm>;

function choiceOf(value: FormValue, key: string | null): Choice {
  if (value.supervisor !== "new") return { supervisorId: value.supervisor, key };
  const { supervisor: _, ...newSupervisor } = value;
  return { newSupervisor, key };
}

export default function RequestVerification() {
  const answer = useActionData<typeof action>();
  const { kind: kindName, record, supervisors, formKey, rules } = useLoaderData<typeof loader>();
  const kind = kindNamed(kindName);
  return (
    <SignedInLayout
      current={kind.path}
      toast={answer?.toast}
      dialog={
        <RequestDialog
          kind={kind}
          record={record}
          supervisors={supervisors}
          formKey={formKey}
          rules={rules}
          reply={answer?.reply ?? null}
        />
      }
    />
  );
}
