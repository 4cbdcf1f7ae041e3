import { useForm } from "@conform-to/react";
import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { ACCESS_LABELS, makeToken, newTokenSchema, TOKEN_DAYS } from "#app/accounts/api-tokens.server.ts";
import { TOKEN_ACCESSES } from "#app/accounts/api-tokens.table.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { addDays } from "#app/calendar-date.ts";
import { asText, Field, type Reply } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Alert, LinkLine } from "#app/ui/page.tsx";

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
        <TokenForm action={address} lastDay={lastDay} reply={answer?.reply} message={answer?.failure?.text} />
      )}
      <LinkLine href="/account">Back to the account</LinkLine>
    </SignedInLayout>
  );
}

interface TokenFormProps {
  /** The URL of this copy of the form. */
  action: string;
  /** The last day that the form proposes. */
  lastDay: string;
  reply: Reply;
  /** Why the form as a whole was not accepted. */
  message: string | undefined;
}

function TokenForm({ action, lastDay, reply, message }: TokenFormProps) {
  const [form, { name, access, expiresOn }] = useForm<{ name: string; access: string; expiresOn: string }>({
    id: "token",
    lastResult: reply,
  });
  return (
    <form method="post" action={action} id={form.id} className="form" aria-labelledby="token-title" noValidate>
      <h1 id="token-title">New token</h1>
      <p>Name it after the program that will use it. The token is shown once, on the next page.</p>
      <Field field={name} label="Name" autoComplete="off" autoFocus={Boolean(name.errors)} />
      <Field
        field={access}
        label="Access"
        control={(attributes) => (
          <select {...attributes} defaultValue={asText(access.initialValue) ?? "read"}>
            {TOKEN_ACCESSES.map((value) => (
              <option key={value} value={value}>
                {ACCESS_LABELS[value]}
              </option>
            ))}
          </select>
        )}
      />
      <Field field={expiresOn} label="Last Day" type="date" defaultValue={asText(expiresOn.initialValue) ?? lastDay} />
      <Alert message={message} />
      <button type="submit" data-busy="Making...">
        Make Token
      </button>
    </form>
  );
}

/** Shows a new token, this once. */
function MadeToken({ name, token }: { name: string; token: string }) {
  return (
    <div className="form">
      <h1>Your new token</h1>
      <p role="status">
        Copy <b>{name}</b> now and keep it where you keep passwords. It is not shown again.
      </p>
      <div className="field">
        <label htmlFor="token">Token</label>
        {/* Two lines: a phone shows all of it, so that it can be read and selected without a script. */}
        <textarea id="token" readOnly rows={2} value={token} autoComplete="off" spellCheck={false} />
      </div>
      <button type="button" className="second" data-copy="token" hidden>
        Copy token
      </button>
      <p>
        Send it with each call as <code>Authorization: Bearer {token.slice(0, 6)}…</code>
      </p>
    </div>
  );
}
