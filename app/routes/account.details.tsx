import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-parts.tsx";
import { changeDetails } from "#app/accounts/details.server.ts";
import { detailsForm, renewalForm } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The action of the forms of details and of emails on /account, and the page with their errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Your details · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user };
});

export const action = formAction(
  { failed: "Failed to save your details. Please try again." },
  async ({ request, context }, form) => {
    await requireUser(context);
    const sent = await readForm(request);
    const isSwitch = sent.has("renewalEmails");
    await changeDetails(context, isSwitch ? form.parse(sent, renewalForm) : form.parse(sent, detailsForm));
    return redirectTo(context, "/account", { toast: { kind: "success", title: "Changes saved" } });
  },
);

export default function Details() {
  const { user } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <AccountFormPage user={user} form="details" reply={answer?.reply} message={answer?.failure?.text} />;
}
