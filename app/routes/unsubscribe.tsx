import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { isStopped, isUnsubscribeToken, stopEmails } from "#app/mail/suppression.server.ts";
import { page } from "#app/server/page.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { DoneNotice, PublicLayout } from "#app/ui/page.tsx";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Stop all emails · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const token = mailedToken(params.token);
  const isKnown = isUnsubscribeToken(context.secret, token);
  // The form's answer has the new state.
  const isRead = isKnown && isSafe(context.visit);
  return data(
    { token, isKnown, isStopped: isRead && (await isStopped(context, token)) },
    { status: isKnown ? 200 : 404 },
  );
});

const FAILED = "An error occurred. Please try again.";

/** The page's forms, and the POST of a mail client's one-click button (RFC 8058), which may have any body. */
export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ request, params, context }, form) => {
  const token = mailedToken(params.token);
  if (!isUnsubscribeToken(context.secret, token)) return form.show({ status: 404 });
  const sent = await readForm(request).catch(() => null);
  const isStopped = sent?.get("emails") !== "on";
  await stopEmails(context, token, isStopped);
  return form.show({ extra: { isStopped } });
});

/** Stops all emails to an address, after it was asked, and lets them go out again. */
export default function Unsubscribe() {
  const { token, isKnown, isStopped: wasStopped } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>()?.extra ?? null;
  const isStopped = done?.isStopped ?? wasStopped;
  const path = `/unsubscribe/${token}`;
  return (
    <PublicLayout>
      <h1>Stop all emails</h1>
      {!isKnown && <p className="alert">This link is not valid. Open it as it is in the email.</p>}
      {isKnown && isStopped && (
        <>
          <DoneNotice text="This address gets no more emails. Technicians can still send you a link themselves." />
          <form method="post" action={path}>
            <p>
              If hours are verified in the name of this address, we email it once more. You can let all emails go out
              again at any time, here.
            </p>
            <input type="hidden" name="emails" value="on" />
            <button type="submit" className="second tall">
              Let emails go out again
            </button>
          </form>
        </>
      )}
      {isKnown && !isStopped && (
        <>
          {done && <DoneNotice text="This address gets emails again." />}
          <form method="post" action={path}>
            <p>
              This address then gets no more requests, reminders or other emails from Hours Tracker, but for one notice
              if hours are verified in its name. Technicians can still send you a link themselves.
            </p>
            <button type="submit" className="tall">
              Stop all emails
            </button>
          </form>
        </>
      )}
    </PublicLayout>
  );
}
