import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { createSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { supervisorForm } from "#app/supervisors/supervisor.schema.ts";
import { SupervisorForm } from "#app/supervisors/supervisor-form.tsx";
import { LinkLine } from "#app/ui/page.tsx";

/** The action of the form on `/supervisors`, and the page with its errors. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Add Supervisor · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user } = await requireUser(context);
  return { user, formAction: `/supervisors/new/${parseFormKey(params.key) ?? crypto.randomUUID()}` };
});

export const action = formAction(
  { failed: "Failed to create supervisor. Please try again.", showsErrors: true },
  async ({ request, params, context }, form) => {
    const fields = await readForm(request);
    const supervisor = form.parse(fields, supervisorForm(fields));
    await createSupervisor(context, supervisor, parseFormKey(params.key));
    return redirectTo(context, "/supervisors", { toast: { kind: "success", title: "Supervisor added" } });
  },
);

export default function NewSupervisor() {
  const { formAction: address } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/supervisors" toast={answer?.failure}>
      <h1>Add Supervisor</h1>
      <SupervisorForm action={address} reply={answer?.reply} />
      <LinkLine href="/supervisors">Back to the supervisors</LinkLine>
    </SignedInLayout>
  );
}
