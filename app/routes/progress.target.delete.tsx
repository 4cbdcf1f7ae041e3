import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { DeleteTargetDialog } from "#app/certification/delete-target-dialog.tsx";
import { deleteTarget, findTarget } from "#app/certification/own-targets.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { page } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Delete Target · Hours Tracker" }];

export const loader = page(({ params, context }) => findTarget(context, parseId(params.id)));

const FAILED = "Failed to delete the target. Please try again.";

// On the error page: if only the answer was lost, there is no target any more whose dialog could say it.
export const action = formAction({ errorPage: FAILED }, async ({ params, context }) => {
  await deleteTarget(context, parseId(params.id));
  return redirectTo(context, "/progress", { toast: { kind: "success", title: "Target deleted" } });
});

export default function DeleteTarget() {
  const { target } = useLoaderData<typeof loader>();
  return <SignedInLayout current="/progress" dialog={<DeleteTargetDialog target={target} />} />;
}
