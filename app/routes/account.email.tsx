import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-screen.tsx";
import { EmailSentScreen } from "#app/accounts/email-change-screens.tsx";
import { emailChangeMessage, findOpenChange, requestEmailChange } from "#app/accounts/request-email-change.server.ts";
import { emailChangeSchema } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** The action of the email form on /account, and the page with its errors or, at `?sent`, its confirmation. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Email address · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  // After a refused form no more round trip is left for the change.
  const isSent = new URL(request.url).searchParams.has("sent");
  const { user, open = [] } = await requireUser(context, (owner, db) => ({
    ...(isSent && { open: findOpenChange(context, owner, db) }),
  }));
  const [change] = open;
  const isMailed = context.mail.isConfigured;
  return { user, sent: change ? { ...change, isMailed, text: emailChangeMessage(context) } : null };
});

export const action = formAction(
  { errorPage: "Failed to send the link. Please try again.", showsErrors: true },
  async ({ request, context }, form) => {
    const change = form.parse(await readForm(request), emailChangeSchema);
    await requestEmailChange(context, change);
    return redirectTo(context, "/account/email?sent");
  },
);

export default function ChangeEmail() {
  const { user, sent } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return sent ? (
    <EmailSentScreen {...sent} />
  ) : (
    <AccountFormPage user={user} form="email" reply={answer?.reply} message={answer?.failure?.text} />
  );
}
