import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { isStopped, isUnsubscribeToken, stopEmails } from "#app/mail/suppression.server.ts";
import { page } from "#app/server/page.server.ts";
import { isSafe } from "#app/server/request-line.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { UnsubscribeScreen } from "#app/verification/notices/mailbox-screens.tsx";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Stop all emails · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const token = mailedToken(params.token);
  const isKnown = isUnsubscribeToken(context.secret, token);
  // The answer of the form knows what it did.
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

export default function Unsubscribe() {
  const { token, isKnown, isStopped } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>()?.extra ?? null;
  return (
    <UnsubscribeScreen token={isKnown ? token : null} isStopped={done?.isStopped ?? isStopped} isDone={done !== null} />
  );
}
