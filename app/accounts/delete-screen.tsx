import { useForm } from "@conform-to/react";
import { ExportLinks } from "#app/accounts/account-screen.tsx";
import { PasswordField } from "#app/forms/field.tsx";
import { Alert } from "#app/ui/page.tsx";
import type { Reply } from "./details-form.tsx";
import { SignedInLayout } from "./layout.tsx";
import type { OwnRecordCounts } from "./own-deletion.server.ts";
import { ADMIN_STAYS, type User } from "./user.ts";

interface DeleteScreenProps {
  user: User;
  counts: OwnRecordCounts;
  reply?: Reply;
  message?: string | null | undefined;
}

/** Says what is deleted with an account and what stays, and asks for the password. */
export function DeleteScreen({ user, counts, reply, message }: DeleteScreenProps) {
  return (
    <SignedInLayout current="/account">
      {user.isAdmin ? (
        <>
          <h1>Delete account</h1>
          <p className="notice waiting">{ADMIN_STAYS}</p>
        </>
      ) : (
        <DeleteForm user={user} counts={counts} reply={reply} message={message} />
      )}
      <p>
        <a href="/account">Back to the account</a>
      </p>
    </SignedInLayout>
  );
}

function DeleteForm({ user, counts, reply, message }: DeleteScreenProps) {
  const [form, fields] = useForm<{ password: string }>({ id: "delete", lastResult: reply });
  return (
    <form
      method="post"
      action="/account/delete"
      id={form.id}
      className="form"
      aria-labelledby="delete-title"
      noValidate
    >
      <h1 id="delete-title">Delete account</h1>
      <p>
        This deletes the account <b>{user.email}</b> and, permanently:
      </p>
      <dl className="facts">
        {counts.map(([term, count]) => (
          <Count key={term} term={term} count={count} />
        ))}
      </dl>
      <p>
        We keep the log of each verification: what happened and when, from which address and browser, and which
        supervisor was asked. It holds nothing else about you.
      </p>
      <p>
        To keep your verified hours, first <a href="/profile">export them as PDF</a>. To keep everything:
      </p>
      <ul className="choices">
        <ExportLinks />
      </ul>
      <PasswordField
        field={fields.password}
        label="Current Password"
        autoComplete="current-password"
        autoFocus={Boolean(fields.password.errors)}
      />
      <Alert message={message} />
      <button type="submit" className="danger" data-busy="Deleting...">
        Delete Account
      </button>
    </form>
  );
}

function Count({ term, count }: { term: string; count: number }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{count.toLocaleString("en")}</dd>
    </div>
  );
}
