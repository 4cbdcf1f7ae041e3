import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { DeleteScreen } from "#app/accounts/delete-screen.tsx";
import { countOwnRecords, deleteOwnAccount } from "#app/accounts/own-deletion.server.ts";
import { endSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { deletionSchema } from "#app/accounts/user.schema.ts";
import { AppError } from "#app/errors.ts";
import { fieldErrorsOf, readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Delete account · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const {
    user,
    goes: [goes],
  } = await requireUser(context, (owner, db) => ({ goes: countOwnRecords(context, owner, db) }));
  if (!goes) throw new Error("a user is there whose rows cannot be counted");
  return { user, goes };
});

const DELETED: Toast = { kind: "success", title: "Account deleted", text: "Everything in it is gone." };

export const action = page(async ({ request, context }) => {
  const submission = parseWithZod(await readForm(request), { schema: deletionSchema });
  // A password never comes back in a page.
  const hideFields = ["password"];
  if (submission.status !== "success") {
    return data({ reply: submission.reply({ hideFields }), message: null }, { status: 400 });
  }
  try {
    await deleteOwnAccount(context, submission.value.password);
    throw await endSessionAndRedirect(context, "/auth", DELETED, context.visit.userId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // An admin's page says why they can't.
    if (error.status === 409) throw await redirectTo(context, "/account/delete");
    const reply = submission.reply({ hideFields, fieldErrors: fieldErrorsOf(error) });
    return data({ reply, message: error.errors ? null : error.message }, { status: error.status });
  }
}, "Failed to delete the account. If you can still log in, please try again.");

export default function Delete() {
  const { user, goes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <DeleteScreen user={user} goes={goes} reply={answer?.reply} message={answer?.message} />;
}
