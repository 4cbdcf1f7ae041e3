import { type AppLoadContext, data, type HeadersFunction, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isResetOpen, RESET_DONE, RESET_LINK_ENDED, resetPassword } from "#app/accounts/reset.server.ts";
import { NewPasswordScreen } from "#app/accounts/reset-screens.tsx";
import { newPasswordForm } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true, script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Choose a new password · Hours Tracker" }];

/** The redirect 2 seconds after a reset (spec section 2) is a header of the answer. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

const ENDED = { title: "Failed to reset password", text: RESET_LINK_ENDED };

/** What the action knows of the link, so that the loader after it need not look it up again. */
const known = new WeakMap<AppLoadContext, boolean>();

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const isOpen = known.get(context) ?? (await isResetOpen(context, token));
  // Behind an action the status is the action's.
  return data({ token, isOpen }, { status: isOpen || known.has(context) ? 200 : 400 });
});

export const action = formAction(
  {
    title: ENDED.title,
    failed: "An error occurred. Please try again.",
    // The page of a link that has ended says so.
    onAppError: ({ status }, form, { context }) => {
      if (status === 429) return undefined;
      known.set(context, false);
      return form.show({ status });
    },
  },
  async ({ request, params, context }, form) => {
    const { password } = form.parse(await readForm(request), newPasswordForm);
    known.set(context, true);
    await resetPassword(context, params.token ?? "", password);
    known.set(context, false);
    return form.show({ extra: { isDone: true }, headers: { Refresh: "2;url=/auth" } });
  },
);

export default function NewPassword() {
  const { token, isOpen } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <NewPasswordScreen
      token={token}
      state={answer?.extra?.isDone ? "done" : isOpen ? "open" : "ended"}
      message={answer?.extra?.isDone ? RESET_DONE : ENDED}
      reply={answer?.reply}
      toast={answer?.failure}
    />
  );
}
