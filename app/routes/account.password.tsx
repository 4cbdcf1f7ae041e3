import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-parts.tsx";
import { changePassword, PASSWORD_CHANGED } from "#app/accounts/change-password.server.ts";
import { passwordChangeForm } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The action of the password form on /account, and the page with its errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Password · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user };
});

export const action = formAction(
  { errorPage: "Failed to change your password. Please try again.", showsErrors: true },
  async ({ request, context }, form) => {
    const passwords = form.parse(await readForm(request), passwordChangeForm);
    await changePassword(context, passwords);
    return redirectTo(context, "/account", { toast: { kind: "success", ...PASSWORD_CHANGED } });
  },
);

export default function Password() {
  const { user } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <AccountFormPage user={user} form="password" reply={answer?.reply} message={answer?.failure?.text} />;
}
