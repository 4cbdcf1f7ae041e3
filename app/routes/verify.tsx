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
import { answersOf } from "#app/verification/confirm/answers.server.ts";
import { answerRequest, findLink, RecordChangedError } from "#app/verification/confirm/confirm.server.ts";
import { noteOpening } from "#app/verification/confirm/opening.server.ts";
import { VerifyScreen } from "#app/verification/confirm/verify-screen.tsx";
import { itemRecord, visibleLink } from "#app/verification/link-view.server.ts";
import { thanksMessage } from "#app/verification/record.ts";
import { answersSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verify hours · Hours Tracker" }];

const STATUS = { open: 200, unknown: 404, decided: 409 };

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const link = await findLink(context, token);
  noteOpening(context, link);
  const shown = link.state === "open" ? link.items[0]?.shown : null;
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
    const link = await findLink(context, token);
    // The page says why the link cannot be used.
    if (link.state === "unknown") return form.show({ status: 404 });
    if (link.state === "decided") return redirectTo(context, `/verify/${token}`);
    if (link.isOwn) throw new AppError(403, "These are your own hours, so you can't verify them.");
    const { shown = "", ...body } = form.parse(await readForm(request), answersSchema);
    const answers = answersOf(context, link, new URL(request.url), { ...body, shown });
    const { verified } = await answerRequest(context, token, answers);
    const [item] = verified;
    const text = item ? thanksMessage(itemRecord(item, link.owner)) : "";
    const toast: Toast = { kind: "success", title: "Verification successful", text };
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
