import { getFormProps, useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { requireAdmin } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { allowEmailsAsAdmin } from "#app/admin/system.server.ts";
import { SYSTEM_PATH } from "#app/admin/view.ts";
import { Field } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Lets emails go out again to an address that stopped them all: a form for the address. */
export const handle = { script: true, fresh: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Let emails go out again · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireAdmin(context);
  return { user };
});

export const action = formAction(
  { failed: "Failed to let emails go out. Please try again.", title: "Not changed", showsErrors: true },
  async ({ request, context }, form) => {
    const { email } = form.parse(await readForm(request), resetRequestSchema);
    const { message: text, stopped } = await allowEmailsAsAdmin(context, email);
    const toast = stopped
      ? ({ kind: "success", title: "Emails go out again", text } as const)
      : ({ kind: "error", title: "Not changed", text } as const);
    return redirectTo(context, SYSTEM_PATH, { toast });
  },
);

export default function AllowEmails() {
  const answer = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string }>({ id: "allow", lastResult: answer?.reply ?? null });
  return (
    <SignedInLayout current="/admin" toast={answer?.failure}>
      <h1>Let emails go out again</h1>
      <p>
        For owners of addresses who ask for it: an email may have been forwarded to someone who stopped them all. The
        addresses are stored as hashes, so they cannot be listed. Emails that wait for the address go out within a day.
      </p>
      <form method="post" action={`${SYSTEM_PATH}/allow-emails`} {...getFormProps(form)} className="form">
        <Field field={fields.email} label="Email of the supervisor" type="email" autoComplete="off" inputMode="email" />
        <p className="row">
          <a href={SYSTEM_PATH}>Back to the system</a>
          <button type="submit">Let emails go out</button>
        </p>
      </form>
    </SignedInLayout>
  );
}
