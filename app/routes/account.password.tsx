import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-screen.tsx";
import { changePassword, PASSWORD_CHANGED } from "#app/accounts/change-password.server.ts";
import { passwordChangeForm } from "#app/accounts/user.schema.ts";
import { AppError } from "#app/errors.ts";
import { fieldErrorsOf, readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Where the password form of /account is sent, and the page on which it comes back with what is wrong. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Password · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user };
});

/** A password never comes back in a page. */
const hideFields = ["currentPassword", "newPassword", "confirmPassword"];

export const action = page(async ({ request, context }) => {
  const submission = parseWithZod(await readForm(request), { schema: passwordChangeForm });
  if (submission.status !== "success") {
    return data({ reply: submission.reply({ hideFields }), message: null }, { status: 400 });
  }
  try {
    await changePassword(context, submission.value);
    throw await redirectTo(context, "/account", { toast: { kind: "success", ...PASSWORD_CHANGED } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reply = submission.reply({ hideFields, fieldErrors: fieldErrorsOf(error) });
    return data({ reply, message: error.errors ? null : error.message }, { status: error.status });
  }
}, "Failed to change your password. Please try again.");

export default function Password() {
  const { user } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <AccountFormPage user={user} form="password" reply={answer?.reply} message={answer?.message} />;
}
