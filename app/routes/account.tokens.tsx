import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { makeToken, newTokenSchema, TOKEN_DAYS } from "#app/accounts/api-tokens.server.ts";
import { TOKEN_ACCESSES } from "#app/accounts/api-tokens.table.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { MadeToken, TokenForm } from "#app/accounts/token-parts.tsx";
import { addDays } from "#app/calendar-date.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { LinkLine } from "#app/ui/page.tsx";

/** The form of a new token, which posts to an address of its own, and the page that shows the token once. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "New token · Hours Tracker" }];

/** Passes on what the action says: no cache keeps the page with the token. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return {
    user,
    formAction: `/account/tokens/${parseFormKey(params.key) ?? crypto.randomUUID()}`,
    lastDay: addDays(context.now.toISOString().slice(0, 10), TOKEN_DAYS),
  };
});

export const action = formAction<{ name: string; token: string }>(
  { failed: "Failed to make the token. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const { user } = await requireUser(context);
    const values = form.parse(await readForm(request), newTokenSchema);
    const { name, token } = await makeToken(context, user, values, parseFormKey(params.key));
    // Not a redirect: the token is stored nowhere, so only this answer can show it.
    return form.show({ extra: { name, token }, headers: { "Cache-Control": "no-store" } });
  },
);

export default function NewToken() {
  const { formAction: address, lastDay } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const made = answer?.extra;
  return (
    <SignedInLayout current="/account">
      {made ? (
        <MadeToken {...made} />
      ) : (
        <TokenForm
          action={address}
          title="New token"
          accesses={TOKEN_ACCESSES}
          lastDay={lastDay}
          reply={answer?.reply}
          message={answer?.failure?.text}
        />
      )}
      <LinkLine href="/account">Back to the account</LinkLine>
    </SignedInLayout>
  );
}
