import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { deleteSupervisor, findSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Delete Supervisor · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user, supervisor } = await findSupervisor(context, parseId(params.id));
  return { user, supervisor };
});

const FAILED = "Failed to delete the supervisor. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }) => {
  const id = parseId(params.id);
  await findSupervisor(context, id);
  await deleteSupervisor(context, id);
  return redirectTo(context, "/supervisors", { toast: { kind: "success", title: "Supervisor deleted" } });
});

export default function DeleteSupervisor() {
  const { supervisor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, name, company, role } = supervisor;
  const path = `/supervisors/${id}`;
  return (
    <SignedInLayout
      current="/supervisors"
      toast={answer?.failure}
      dialog={
        <ConfirmDialog title="Delete Supervisor" closeHref={path} action={`${path}/delete`} busy="Deleting...">
          <p>
            <b>{name}</b>, {company ?? role}
          </p>
          <p>
            Records that they have verified keep their name. Links that you sent them still work: to end a link,
            withdraw the request on the record's page.
          </p>
        </ConfirmDialog>
      }
    />
  );
}
