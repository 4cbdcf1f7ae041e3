import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { askForInbox, INBOX_ASKED } from "#app/supervisor-mail/inbox.server.ts";
import { InboxRequestScreen } from "#app/verification/notices/mailbox-screens.tsx";
import { inboxSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public" } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Records that wait for you · Hours Tracker" }];

export const loader = page(async ({ request }) => {
  return { done: new URL(request.url).searchParams.has("sent") ? INBOX_ASKED : null };
});

export const action = formAction(
  { title: "The link was not sent", failed: "An error occurred. Please try again." },
  async ({ request, context }, form) => {
    const { email } = form.parse(await readForm(request), inboxSchema);
    await askForInbox(context, email);
    return redirectTo(context, "/inbox?sent");
  },
);

export default function Inbox() {
  const { done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <InboxRequestScreen done={done} reply={answer?.reply} toast={answer?.failure} />;
}
