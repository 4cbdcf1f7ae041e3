import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-parts.tsx";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { emailChangeMessage, findOpenChange, requestEmailChange } from "#app/accounts/request-email-change.server.ts";
import { emailChangeSchema } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { DoneNotice, LinkLine } from "#app/ui/page.tsx";

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
    <SentScreen {...sent} />
  ) : (
    <AccountFormPage user={user} form="email" reply={answer?.reply} message={answer?.failure?.text} />
  );
}

interface SentScreenProps {
  text: string;
  /** Whether a link was sent: not if email is not configured. */
  isMailed: boolean;
  newEmail: string;
}

/** The page after a request: the same for every address. */
function SentScreen({ text, isMailed, newEmail }: SentScreenProps) {
  return (
    <SignedInLayout current="/account">
      <h1>Email address</h1>
      {isMailed ? (
        <>
          <DoneNotice text={text} />
          <p>
            New address: <b>{newEmail}</b>
          </p>
          <p className="hint">
            Until then your address stays the same. If you cannot find the email, check your spam folder, and check that
            the address is right.
          </p>
        </>
      ) : (
        <p className="notice waiting" role="alert">
          {text}
        </p>
      )}
      <LinkLine href="/account">Back to the account</LinkLine>
    </SignedInLayout>
  );
}
