import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { deleteTarget, findTarget } from "#app/certification/own-targets.server.ts";
import type { Target } from "#app/certification/targets.table.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Dialog } from "#app/ui/dialog.tsx";

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

/** Asks for confirmation before a target is deleted. */
function DeleteTargetDialog({ target: { id, title, items } }: { target: Pick<Target, "id" | "title" | "items"> }) {
  const path = `/progress/targets/${id}`;
  return (
    <Dialog title="Delete Target" closeHref={path}>
      <p>
        <b>{title}</b>, {items.length === 1 ? "1 item" : `${items.length} items`}
      </p>
      <p>Your hours stay as they are. Only the target and its figures are deleted.</p>
      <form method="post" action={`${path}/delete`} className="row">
        <a href={path}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete Target
        </button>
      </form>
    </Dialog>
  );
}
