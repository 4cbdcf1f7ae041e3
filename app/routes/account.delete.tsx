import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { DeleteScreen } from "#app/accounts/delete-screen.tsx";
import { countOwnRecords, deleteOwnAccount } from "#app/accounts/own-deletion.server.ts";
import { endSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { deletionSchema } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { countedOf } from "#app/records/queries.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

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
    // The page tells admins that they cannot delete their own account.
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
  return <DeleteScreen user={user} counts={counts} reply={answer?.reply} message={answer?.failure?.text} />;
}
