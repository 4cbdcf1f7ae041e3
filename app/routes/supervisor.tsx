import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { changeSupervisor, findSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { supervisorForm } from "#app/supervisors/supervisor.schema.ts";
import { SupervisorForm } from "#app/supervisors/supervisor-form.tsx";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Edit Supervisor · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user, supervisor } = await findSupervisor(context, parseId(params.id));
  return { user, supervisor };
});

export const action = formAction(
  { failed: "Failed to save the supervisor. Please try again." },
  async ({ request, params, context }, form) => {
    const id = parseId(params.id);
    await findSupervisor(context, id);
    const fields = await readForm(request);
    const supervisor = form.parse(fields, supervisorForm(fields));
    await changeSupervisor(context, id, supervisor);
    return redirectTo(context, "/supervisors", { toast: { kind: "success", title: "Supervisor saved" } });
  },
);

export default function EditSupervisor() {
  const { supervisor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current="/supervisors" toast={answer?.failure}>
      <section aria-labelledby="edit">
        <h1 id="edit">Edit Supervisor</h1>
        <SupervisorForm action={`/supervisors/${supervisor.id}`} supervisor={supervisor} reply={answer?.reply} />
        <p className="row">
          <a className="second" href={`/supervisors/${supervisor.id}/delete`}>
            Delete Supervisor
          </a>
        </p>
      </section>
    </SignedInLayout>
  );
}
