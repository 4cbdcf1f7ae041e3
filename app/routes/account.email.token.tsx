import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CHANGE_LINK_ENDED, confirmEmail, type EmailLink, findEmailLink } from "#app/accounts/confirm-email.server.ts";
import { EmailLinkScreen } from "#app/accounts/email-change-screens.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

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
  return <EmailLinkScreen token={token} link={link} done={done} refusal={refusal ?? CHANGE_LINK_ENDED} />;
}
