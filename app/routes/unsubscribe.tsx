import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction } from "#app/forms/form-action.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { isUnsubscribeToken, unsubscribe } from "#app/verification/suppression.server.ts";
import { UnsubscribeScreen } from "#app/verification/telling/telling-screens.tsx";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Stop all emails · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  const isKnown = isUnsubscribeToken(context.secret, token);
  return data({ token, isKnown }, { status: isKnown ? 200 : 404 });
});

const FAILED = "An error occurred. Please try again.";

/** The page's form, and the POST of a mail client's one-click button (RFC 8058). */
export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }, form) => {
  const token = params.token ?? "";
  if (!isUnsubscribeToken(context.secret, token)) return form.show({ status: 404 });
  await unsubscribe(context, token);
  return form.show({ extra: { isDone: true } });
});

export default function Unsubscribe() {
  const { token, isKnown } = useLoaderData<typeof loader>();
  const isDone = useActionData<typeof action>()?.extra?.isDone;
  return <UnsubscribeScreen token={token} state={isDone ? "done" : isKnown ? "open" : "unknown"} />;
}
