import { useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireAnonymous } from "#app/accounts/access.server.ts";
import { RESET_REQUESTED, requestReset } from "#app/accounts/reset.server.ts";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { Field } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { DoneNotice, LinkLine, PublicLayout } from "#app/ui/page.tsx";

export const handle = { access: "public", script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Reset your password · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const isSent = new URL(request.url).searchParams.has("sent");
  if (!isSent) await requireAnonymous(context);
  return { done: isSent ? RESET_REQUESTED : null };
});

export const action = formAction(
  { title: "Failed to send reset link", failed: "An error occurred. Please try again." },
  async ({ request, context }, form) => {
    const { email } = form.parse(await readForm(request), resetRequestSchema);
    await requestReset(context, email);
    return redirectTo(context, "/reset-password?sent");
  },
);

export default function ResetRequest() {
  const { done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string }>({
    id: "reset-request",
    lastResult: answer?.reply,
    constraint: getZodConstraint(resetRequestSchema),
  });
  return (
    <PublicLayout toast={answer?.failure}>
      <h1>Reset your password</h1>
      {done ? (
        <>
          <DoneNotice text={done} />
          <p className="hint">
            The link works once, within one hour. If you cannot find the email, check your spam folder.
          </p>
        </>
      ) : (
        <form method="post" action="/reset-password" id={form.id} noValidate>
          <p>We will email you a link to choose a new password.</p>
          <Field
            field={fields.email}
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoFocus={Boolean(fields.email.errors)}
          />
          <button type="submit" data-busy="Sending...">
            Send Reset Link
          </button>
        </form>
      )}
      <LinkLine href="/auth">Back to login</LinkLine>
    </PublicLayout>
  );
}
