import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { deleteSupervisor, findSupervisor } from "#app/supervisors/own-supervisors.server.ts";
import { DeleteSupervisorDialog } from "#app/supervisors/supervisors-screen.tsx";

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
  return (
    <SignedInLayout
      current="/supervisors"
      toast={answer?.failure}
      dialog={<DeleteSupervisorDialog supervisor={supervisor} />}
    />
  );
}
