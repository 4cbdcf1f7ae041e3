import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  CHANGE_LINK_ENDED,
  confirmEmailChange,
  findChangedAddress,
} from "#app/accounts/confirm-email-change.server.ts";
import { ConfirmEmailScreen } from "#app/accounts/email-change-screens.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true, script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Change your email address · Hours Tracker" }];

/** The requests whose action has used the link, or found that it does not work: the loader need not read it again. */
const answered = new WeakSet<AppLoadContext>();

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  if (answered.has(context)) return data({ token, newEmail: null }); // with the action's status
  const newEmail = await findChangedAddress(context, token);
  return data({ token, newEmail }, { status: newEmail === null ? 400 : 200 });
});

export const action = formAction(
  {
    failed: "Failed to change the email address. Please try again.",
    // The page says why the link does not work.
    onAppError: ({ status, message }, form, { context }) => {
      if (status === 429) return undefined;
      answered.add(context);
      return form.show({ status, extra: { changedTo: null, refusal: message } });
    },
  },
  async ({ params, context }, form) => {
    const { email } = await confirmEmailChange(context, params.token ?? "");
    answered.add(context);
    return form.show<{ changedTo: string | null; refusal: string | null }>({
      extra: { changedTo: email, refusal: null },
    });
  },
);

export default function ConfirmEmail() {
  const { token, newEmail } = useLoaderData<typeof loader>();
  const { changedTo = null, refusal = null } = useActionData<typeof action>()?.extra ?? {};
  return (
    <ConfirmEmailScreen
      token={token}
      newEmail={newEmail}
      changedTo={changedTo}
      refusal={refusal ?? CHANGE_LINK_ENDED}
    />
  );
}
