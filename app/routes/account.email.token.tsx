import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CHANGE_LINK_ENDED, confirmEmail, type EmailLink, findEmailLink } from "#app/accounts/confirm-email.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { LinkLine, MessageScreen, PublicLayout } from "#app/ui/page.tsx";

/** The page of a mailed link: it changes the address of an account, or confirms it. */
export const handle = { access: "public", secret: true, script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Your email address · Hours Tracker" }];

/** The requests whose action has used the link, or found that it does not work: the loader need not read it again. */
const answered = new WeakSet<AppLoadContext>();

export const loader = page(async ({ params, context }) => {
  const token = mailedToken(params.token);
  if (answered.has(context)) return data({ token, link: null }); // with the action's status
  const link = await findEmailLink(context, token);
  return data({ token, link }, { status: link === null ? 400 : 200 });
});

const FAILED = "Failed to use the link. Please try again.";

export const action = formAction(
  {
    failed: FAILED,
    errorPage: FAILED,
    // The page says why the link does not work.
    onAppError: ({ status, message }, form, { context }) => {
      if (status === 403 || status === 429) return undefined;
      answered.add(context);
      return form.show({ status, extra: { done: null, refusal: message } });
    },
  },
  async ({ params, context }, form) => {
    const { done } = await confirmEmail(context, mailedToken(params.token));
    answered.add(context);
    return form.show<{ done: EmailLink | null; refusal: string | null }>({ extra: { done, refusal: null } });
  },
);

export default function EmailLinkPage() {
  const { token, link } = useLoaderData<typeof loader>();
  const { done = null, refusal = null } = useActionData<typeof action>()?.extra ?? {};
  if (done) return <DoneScreen {...done} />;
  if (link) return <ConfirmScreen token={token} {...link} />;
  const toAccount = { href: "/account", text: "Go to your account" };
  return (
    <MessageScreen title="This link does not work" text={refusal ?? CHANGE_LINK_ENDED} role="alert" link={toAccount} />
  );
}

/** Asks before the link changes or confirms the address, because mail scanners open links. */
function ConfirmScreen({ token, purpose, email, withheld }: EmailLink & { token: string }) {
  const requests = withheld === 1 ? "1 request" : `${withheld} requests`;
  return (
    <PublicLayout>
      <h1>{purpose === "change" ? "Change your email address?" : "Confirm your email address?"}</h1>
      <form method="post" action={`/account/email/${token}`}>
        {purpose === "change" ? (
          <p>
            Your Hours Tracker account gets the address <b>{email}</b>. You log in with it, and it gets all emails about
            your account.
          </p>
        ) : (
          <p>
            An Hours Tracker account was registered with the address <b>{email}</b>. If it is yours, confirm it: it then
            gets all emails about your account.
          </p>
        )}
        {withheld > 0 && <p>{`${requests} to supervisors will be emailed then.`}</p>}
        <p className="hint">If you did not ask for this, close this page: nothing changes.</p>
        {purpose === "change" ? (
          <button type="submit" data-busy="Changing...">
            Change Email Address
          </button>
        ) : (
          <button type="submit" data-busy="Confirming...">
            {withheld > 0 ? `Confirm and send ${requests}` : "Confirm Email Address"}
          </button>
        )}
      </form>
    </PublicLayout>
  );
}

function DoneScreen({ purpose, email, withheld }: EmailLink) {
  return (
    <PublicLayout>
      <h1>{purpose === "change" ? "Email address changed" : "Email address confirmed"}</h1>
      {purpose === "change" ? (
        <>
          <p role="status">
            From now on, log in with <b>{email}</b>.
          </p>
          <p>Devices that are signed in stay signed in. You can sign them out on your account page.</p>
        </>
      ) : (
        <p role="status">
          <b>{email}</b> is confirmed. It gets the emails about your account.
        </p>
      )}
      {withheld > 0 && (
        <p>
          {withheld === 1
            ? "The request that waited is being emailed."
            : `The ${withheld} requests that waited are being emailed.`}
        </p>
      )}
      <LinkLine href="/account">Go to your account</LinkLine>
    </PublicLayout>
  );
}
