import { requireUser } from "#app/accounts/access.server.ts";
import { restoreRecord } from "#app/corrections/delete.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { parseId } from "#app/server/api.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";

/**
 * Where *Undo* is sent after a deletion: it leads back to the log, with the record or with the reason. It stands twice
 * in `routes.ts`, once for each kind.
 */
export const loader = page(async ({ context }) => {
  await requireUser(context);
  return redirectTo(context, kindOf(context).path);
});

export const action = buttonAction(
  {
    failed: "Failed to restore the record. Please try again.",
    failureHref: ({ params, context }) => `${kindOf(context).path}?deleted=${parseId(params.id)}`,
  },
  async ({ params, context }) => {
    const kind = kindOf(context);
    await requireUser(context);
    await restoreRecord(context, kind, parseId(params.id));
    const toast: Toast = { kind: "success", title: kind.texts.restored };
    return redirectTo(context, kind.path, { toast });
  },
);

/** Nothing is ever shown here; a route that could show nothing would answer its failures without a page. */
export default function Restore() {
  return null;
}
