import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { TooManyConflictsError } from "#app/db/conflict.server.ts";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { confirm, findLink, RecordChangedError } from "#app/verification/confirm/confirm.server.ts";
import { logOpening } from "#app/verification/confirm/opening.server.ts";
import { VerifyScreen } from "#app/verification/confirm/verify-screen.tsx";
import { visibleLink } from "#app/verification/link.server.ts";
import { thanksMessage } from "#app/verification/record.ts";
import { confirmationSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verify hours · Hours Tracker" }];

const STATUS = { open: 200, unknown: 404, verified: 409 };

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const link = await findLink(context, token);
  logOpening(context, link);
  const shown = link.state === "open" ? link.shown : null;
  return data({ token, link: visibleLink(link), shown, timeZone: context.timeZone }, { status: STATUS[link.state] });
});

export const action = formAction(
  {
    title: "Verification failed",
    failed: "An error occurred during verification",
    errorPage: "An error occurred during verification. Please try again.",
    onAppError: (error, form, { params, context }) => {
      // The page shows the record as it is now.
      if (error instanceof RecordChangedError) {
        return form.show({ status: error.status, extra: { changedMessage: error.message } });
      }
      if (error instanceof TooManyConflictsError) return form.showError(error);
      return form.isParsed ? redirectTo(context, `/verify/${params.token}`) : undefined;
    },
  },
  async ({ request, params, context }, form) => {
    const token = params.token ?? "";
    const { state, record, isOwn } = await findLink(context, token);
    // The page says why the link cannot be used.
    if (state === "unknown") return form.show({ status: 404 });
    if (state === "verified") return redirectTo(context, `/verify/${token}`);
    if (isOwn) throw new AppError(403, "These are your own hours, so you can't verify them.");
    const { supervisorName, shown = "" } = form.parse(await readForm(request), confirmationSchema);
    await confirm(context, token, supervisorName, shown);
    const toast: Toast = { kind: "success", title: "Verification successful", text: thanksMessage(record) };
    return redirectTo(context, `/success?token=${token}`, { toast });
  },
);

export default function Verify() {
  const answer = useActionData<typeof action>();
  return (
    <VerifyScreen
      {...useLoaderData<typeof loader>()}
      reply={answer?.reply}
      toast={answer?.failure}
      changedMessage={answer?.extra?.changedMessage ?? null}
    />
  );
}
