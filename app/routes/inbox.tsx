import { useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Field } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { askForInbox, INBOX_ASKED } from "#app/supervisor-mail/inbox.server.ts";
import { PublicLayout, State } from "#app/ui/page.tsx";
import { inboxSchema } from "#app/verification/verification.schema.ts";

export const handle = { access: "public" } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Waiting for your answer · Hours Tracker" }];

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

/** Asks for an address, to which a link to all that waits for it is sent. */
export default function Inbox() {
  const { done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string }>({ id: "inbox", lastResult: answer?.reply });
  return (
    <PublicLayout toast={answer?.failure}>
      <h1>Waiting for your answer</h1>
      {done ? (
        <p className="notice done" role="status">
          <State of="done">{done}</State>
        </p>
      ) : (
        <form method="post" action="/inbox" id={form.id} noValidate>
          <p>
            If technicians asked you to verify their hours, we email you one link to all of it. You need no account.
          </p>
          <Field
            field={fields.email}
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            autoFocus={Boolean(fields.email.errors)}
          />
          <button type="submit" className="tall">
            Send the link
          </button>
        </form>
      )}
    </PublicLayout>
  );
}
