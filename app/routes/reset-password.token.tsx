import { useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import { type AppLoadContext, data, type HeadersFunction, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isResetOpen, RESET_DONE, RESET_LINK_ENDED, resetPassword } from "#app/accounts/reset.server.ts";
import { newPasswordForm, newPasswordSchema } from "#app/accounts/user.schema.ts";
import { PasswordField } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { MessageScreen, PublicLayout } from "#app/ui/page.tsx";

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
  const [form, fields] = useForm<{ password: string; confirmPassword: string }>({
    id: "new-password",
    lastResult: answer?.reply,
    constraint: getZodConstraint(newPasswordSchema),
  });
  if (answer?.extra?.isDone) {
    return <MessageScreen {...RESET_DONE} role="status" link={{ href: "/auth", text: "Log in" }} />;
  }
  if (!isOpen) {
    return <MessageScreen {...ENDED} role="alert" link={{ href: "/reset-password", text: "Request a new link" }} />;
  }
  const firstInvalid = [fields.password, fields.confirmPassword].find(({ errors }) => errors)?.name;
  return (
    <PublicLayout toast={answer?.failure}>
      <h1>Choose a new password</h1>
      <form method="post" action={`/reset-password/${token}`} id={form.id} noValidate>
        <PasswordField
          field={fields.password}
          label="New Password"
          autoComplete="new-password"
          autoFocus={firstInvalid === "password"}
        />
        <PasswordField
          field={fields.confirmPassword}
          label="Confirm Password"
          autoComplete="new-password"
          autoFocus={firstInvalid === "confirmPassword"}
        />
        <p className="hint">At least 8 characters. All devices will be signed out, and all API tokens end.</p>
        <button type="submit" data-busy="Resetting...">
          Reset Password
        </button>
      </form>
    </PublicLayout>
  );
}
