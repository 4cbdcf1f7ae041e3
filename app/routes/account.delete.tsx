import { useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { ExportLinks } from "#app/accounts/account-parts.tsx";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { countOwnRecords, deleteOwnAccount, type OwnRecordCounts } from "#app/accounts/own-deletion.server.ts";
import { endSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { deletionSchema } from "#app/accounts/user.schema.ts";
import { ADMIN_STAYS, type User } from "#app/accounts/user.ts";
import { PasswordField, type Reply } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { countedOf } from "#app/records/queries.server.ts";
import { Fact } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Alert, LinkLine } from "#app/ui/page.tsx";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Delete account · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user, counted } = await requireUser(context, (owner, db) => ({
    counted: countOwnRecords(context, owner, db, KINDS.flatMap(countedOf)),
  }));
  const [row] = counted;
  if (!row) throw new Error("the user's rows could not be counted");
  return { user, counts: row.counts };
});

const DELETED: Toast = { kind: "success", title: "Account deleted", text: "Your data has been deleted." };

export const action = formAction(
  {
    errorPage: "Failed to delete the account. If you can still log in, please try again.",
    showsErrors: true,
    // The page says to admins that they cannot delete their own account.
    onAppError: ({ status }, _form, { context }) =>
      status === 409 ? redirectTo(context, "/account/delete") : undefined,
  },
  async ({ request, context }, form) => {
    const { password } = form.parse(await readForm(request), deletionSchema);
    await deleteOwnAccount(context, password);
    return endSessionAndRedirect(context, "/auth", DELETED, context.visit.userId);
  },
);

export default function Delete() {
  const { user, counts } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/account">
      {user.isAdmin ? (
        <>
          <h1>Delete account</h1>
          <p className="notice waiting">{ADMIN_STAYS}</p>
        </>
      ) : (
        <DeleteForm user={user} counts={counts} reply={answer?.reply} message={answer?.failure?.text} />
      )}
      <LinkLine href="/account">Back to the account</LinkLine>
    </SignedInLayout>
  );
}

interface DeleteFormProps {
  user: User;
  counts: OwnRecordCounts;
  reply: Reply;
  message: string | undefined;
}

/** Says what is deleted with an account and what stays, and asks for the password. */
function DeleteForm({ user, counts, reply, message }: DeleteFormProps) {
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
          <Fact key={term} term={term}>
            {count.toLocaleString("en")}
          </Fact>
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
