import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { changeDetails } from "#app/accounts/details.server.ts";
import { NameScreen } from "#app/accounts/details-form.tsx";
import { namePath, nextPageWithQuery } from "#app/accounts/next-page.ts";
import { nameForm } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Asks a technician without a name for it, before a request or an export shows others who they are. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Your name · Hours Tracker" }];

const HOME = "/profile";

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user, action: namePath(nextPageWithQuery(context.url) ?? HOME) };
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
  const answer = useActionData<typeof action>();
  return <NameScreen {...useLoaderData<typeof loader>()} reply={answer?.reply} message={answer?.failure?.text} />;
}
