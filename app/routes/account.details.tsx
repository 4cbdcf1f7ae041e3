import { parseWithZod } from "@conform-to/zod/v4";
import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { AccountFormPage } from "#app/accounts/account-screen.tsx";
import { changeDetails } from "#app/accounts/details.server.ts";
import { detailsForm } from "#app/accounts/user.schema.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { logError } from "#app/server/logger.server.ts";
import { GO_BACK, page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Where the details of /account are sent, and the page on which they come back with what is wrong. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Your details · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user };
});

const FAILED = "Failed to save your details. Please try again.";

export const action = page(async ({ request, context }) => {
  const { user } = await requireUser(context);
  const submission = parseWithZod(await readForm(request), { schema: detailsForm });
  if (submission.status !== "success") return data({ reply: submission.reply(), message: null }, { status: 400 });

  try {
    await changeDetails(context, user, submission.value);
    throw await redirectTo(context, "/account", { toast: { kind: "success", title: "Changes saved" } });
  } catch (error) {
    if (error instanceof Response) throw error;
    logError(error, request);
    return data({ reply: submission.reply(), message: FAILED }, { status: 500 });
  }
}, `${FAILED} ${GO_BACK}`);

export default function Details() {
  const { user } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <AccountFormPage user={user} form="details" reply={answer?.reply} message={answer?.message} />;
}
