import { useForm } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { changeDetails } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { namePath, nextPageWithQuery } from "#app/accounts/next-page.ts";
import { nameForm } from "#app/accounts/user.schema.ts";
import { Field } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Alert } from "#app/ui/page.tsx";

/** Asks a technician without a name for it, before a request or an export shows others who they are. It can be skipped. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Your name · Hours Tracker" }];

const HOME = "/profile";

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user, formAction: namePath(nextPageWithQuery(context.url) ?? HOME) };
});

export const action = formAction(
  { failed: "Failed to save your details. Please try again." },
  async ({ request, context }, form) => {
    const { user } = await requireUser(context);
    const next = nextPageWithQuery(context.url) ?? HOME;
    const fields = await readForm(request);
    if (fields.has("skip")) {
      const headers = { "Set-Cookie": await context.cookies.nameSkipped(user.id).serialize("1") };
      return redirectTo(context, next, undefined, headers);
    }
    await changeDetails(context, form.parse(fields, nameForm));
    return redirectTo(context, next);
  },
);

export default function Name() {
  const { formAction: address } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useForm<{ name: string }>({ id: "name", lastResult: answer?.reply });
  return (
    <SignedInLayout current="/account">
      <form method="post" action={address} id={form.id} className="form" aria-labelledby="name-title" noValidate>
        <h1 id="name-title">Your name</h1>
        <p>
          Your supervisor sees who logged these hours, and so does anyone who checks your exported form. Without a name
          the page says “the technician”, and the form has an empty line.
        </p>
        <Field field={fields.name} label="Full Name" autoComplete="name" autoFocus />
        <Alert message={answer?.failure?.text} />
        <p className="row">
          <button type="submit" data-busy="Saving...">
            Save and go on
          </button>
          <button type="submit" name="skip" value="1" className="second">
            Skip
          </button>
        </p>
        <p className="hint">You can add it later under Account.</p>
      </form>
    </SignedInLayout>
  );
}
