import { useForm } from "@conform-to/react";
import { asText, Field, type Reply } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/page.tsx";
import type { TokenAccess } from "./api-tokens.table.ts";

/** The parts that the pages of personal tokens and of service tokens share. */

export const ACCESS_LABELS: Record<TokenAccess, string> = { read: "Read", write: "Read and write" };

interface TokenFormProps {
  /** The URL of this copy of the form. */
  action: string;
  title: string;
  /** The access of the token, where there is a choice; else it may read. */
  accesses?: readonly TokenAccess[];
  /** The last day that the form proposes. */
  lastDay: string;
  reply: Reply;
  /** Why the form as a whole was not accepted. */
  message: string | undefined;
}

/** The form of a new token. */
export function TokenForm({ action, title, accesses, lastDay, reply, message }: TokenFormProps) {
  const [form, { name, access, expiresOn }] = useForm<{ name: string; access: string; expiresOn: string }>({
    id: "token",
    lastResult: reply,
  });
  return (
    <form method="post" action={action} id={form.id} className="form" aria-labelledby="token-title" noValidate>
      {accesses ? <h1 id="token-title">{title}</h1> : <h2 id="token-title">{title}</h2>}
      <p>Name it after the program that will use it. The token is shown once, on the next page.</p>
      <Field field={name} label="Name" autoComplete="off" autoFocus={Boolean(name.errors)} />
      {accesses ? (
        <Field
          field={access}
          label="Access"
          control={(attributes) => (
            <select {...attributes} defaultValue={asText(access.initialValue) ?? "read"}>
              {accesses.map((value) => (
                <option key={value} value={value}>
                  {ACCESS_LABELS[value]}
                </option>
              ))}
            </select>
          )}
        />
      ) : (
        <input type="hidden" name="access" value="read" />
      )}
      <Field field={expiresOn} label="Last Day" type="date" defaultValue={asText(expiresOn.initialValue) ?? lastDay} />
      <Alert message={message} />
      <button type="submit" data-busy="Making...">
        Make Token
      </button>
    </form>
  );
}

/** Shows a new token, this once. */
export function MadeToken({ name, token }: { name: string; token: string }) {
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
