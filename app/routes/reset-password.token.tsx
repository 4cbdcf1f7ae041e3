import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, data, type HeadersFunction, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isResetOpen, RESET_DONE, RESET_LINK_ENDED, resetPassword } from "#app/accounts/reset.server.ts";
import { NewPasswordScreen } from "#app/accounts/reset-screens.tsx";
import { newPasswordForm } from "#app/accounts/user.schema.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { logError } from "#app/server/logger.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true, script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Choose a new password · Hours Tracker" }];

/** The redirect 2 seconds after a reset (spec section 2) is a header of the answer. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

const ENDED = { title: "Failed to reset password", text: RESET_LINK_ENDED };

/** What the action knows of the link, and the loader after it need not look up again. */
const known = new WeakMap<AppLoadContext, boolean>();

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const isOpen = known.get(context) ?? (await isResetOpen(context, token));
  // Behind an action the status is the action's.
  return data({ token, isOpen }, { status: isOpen || known.has(context) ? 200 : 400 });
});

export const action = page(async ({ request, params, context }) => {
  const submission = parseWithZod(await readForm(request), { schema: newPasswordForm });
  // A password never comes back in a page.
  const reply = submission.reply({ hideFields: ["password", "confirmPassword"] });
  if (submission.status !== "success") return data({ isDone: false, reply, toast: null }, { status: 400 });

  try {
    await resetPassword(context, params.token ?? "", submission.value.password);
    known.set(context, false);
    return data({ isDone: true, reply: null, toast: null }, { headers: { Refresh: "2;url=/auth" } });
  } catch (error) {
    if (error instanceof AppError && error.status === 429) throw error;
    known.set(context, !(error instanceof AppError));
    if (error instanceof AppError) return data({ isDone: false, reply: null, toast: null }, { status: error.status });
    logError(error, request);
    return data({ isDone: false, reply, toast: FAILED }, { status: 500 });
  }
});

/** Spec section 8. */
const FAILED: Toast = {
  kind: "error",
  title: "Failed to reset password",
  text: "An error occurred. Please try again.",
};

export default function NewPassword() {
  const { token, isOpen } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <NewPasswordScreen
      token={token}
      state={answer?.isDone ? "done" : isOpen ? "open" : "ended"}
      message={answer?.isDone ? RESET_DONE : ENDED}
      reply={answer?.reply ?? undefined}
      toast={answer?.toast}
    />
  );
}
