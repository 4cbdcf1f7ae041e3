import { useForm } from "@conform-to/react";
import { asText, Field } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/page.tsx";
import { TOKEN_ACCESSES } from "./api-tokens.table.ts";
import type { Reply } from "./details-form.tsx";
import { SignedInLayout } from "./layout.tsx";
import { ACCESS_LABELS } from "./token-list.tsx";

interface TokenFormProps {
  /** The URL of this copy of the form. */
  action: string;
  /** The last day that the form proposes. */
  lastDay: string;
  reply: Reply;
  /** Why the form as a whole was not accepted. */
  message: string | null | undefined;
}

export function TokenFormPage({ action, lastDay, reply, message }: TokenFormProps) {
  const [form, { name, access, expiresOn }] = useForm<{ name: string; access: string; expiresOn: string }>({
    id: "token",
    lastResult: reply,
  });
  return (
    <SignedInLayout current="/account">
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
        <Field
          field={expiresOn}
          label="Last Day"
          type="date"
          defaultValue={asText(expiresOn.initialValue) ?? lastDay}
        />
        <Alert message={message} />
        <button type="submit" data-busy="Making...">
          Make Token
        </button>
      </form>
      <BackToAccount />
    </SignedInLayout>
  );
}

/** Shows a new token, this once. */
export function TokenMadeScreen({ name, token }: { name: string; token: string }) {
  return (
    <SignedInLayout current="/account">
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
      <BackToAccount />
    </SignedInLayout>
  );
}

function BackToAccount() {
  return (
    <p>
      <a href="/account">Back to the account</a>
    </p>
  );
}
