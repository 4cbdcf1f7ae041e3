import { type AppLoadContext, data, type HeadersFunction, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isResetOpen, RESET_DONE, RESET_LINK_ENDED, resetPassword } from "#app/accounts/reset.server.ts";
import { NewPasswordScreen } from "#app/accounts/reset-screens.tsx";
import { newPasswordForm } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true, script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Choose a new password · Hours Tracker" }];

/** Passes the action's `Refresh` header on: the redirect 2 seconds after a reset (spec section 2). */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

const ENDED = { title: "Failed to reset password", text: RESET_LINK_ENDED };

/** Whether the link is open, as the action found it, so that the loader need not read it again. */
const linkIsOpen = new WeakMap<AppLoadContext, boolean>();

export const loader = page(async ({ params, context }) => {
  const token = mailedToken(params.token);
  const isOpen = linkIsOpen.get(context) ?? (await isResetOpen(context, token));
  // After an action the action's status is sent.
  return data({ token, isOpen }, { status: isOpen || linkIsOpen.has(context) ? 200 : 400 });
});

export const action = formAction(
  {
    title: ENDED.title,
    failed: "An error occurred. Please try again.",
    // The page says that the link has ended.
    onAppError: ({ status }, form, { context }) => {
      if (status === 403 || status === 429) return undefined;
      linkIsOpen.set(context, false);
      return form.show({ status });
    },
  },
  async ({ request, params, context }, form) => {
    const { password } = form.parse(await readForm(request), newPasswordForm);
    linkIsOpen.set(context, true);
    await resetPassword(context, mailedToken(params.token), password);
    linkIsOpen.set(context, false);
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
