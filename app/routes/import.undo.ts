import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { undoImport } from "#app/transfer/undo-import.server.ts";

export const handle = { heavy: true } satisfies RouteHandle;

/** The action of *Undo this import* and of *Discard*. A GET redirects to the import. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, `/import/${parseId(params.id)}`);
});

export const action = buttonAction(
  {
    failed: "Failed to undo the import. Please try again.",
    failureHref: ({ params }) => `/import/${parseId(params.id)}`,
  },
  async ({ params, context }) => {
    const { removed, kept } = await undoImport(context, parseId(params.id));
    const stays = kept > 0 ? ` ${kept.toLocaleString("en")} stay, because they are verified.` : "";
    const text = `${removed.toLocaleString("en")} records were removed.${stays}`;
    return redirectTo(context, "/import", { toast: { kind: "success", title: "Import undone", text } });
  },
);
