import { requireUser } from "#app/accounts/access.server.ts";
import { restoreRecord } from "#app/corrections/correct.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";

/** The action of *Undo* after a deletion: redirects to the log, with the restored record or an error. */
export const loader = page(async ({ context }) => {
  await requireUser(context);
  return redirectTo(context, kindOf(context).path);
});

export const action = buttonAction(
  {
    failed: "Failed to restore the record. Please try again.",
    failureHref: ({ context }) => `${kindOf(context).path}?status=deleted`,
  },
  async ({ params, context }) => {
    const kind = kindOf(context);
    await restoreRecord(context, kind, parseId(params.id));
    const toast: Toast = { kind: "success", title: kind.texts.restored };
    return redirectTo(context, kind.path, { toast });
  },
);

/** Never rendered. A route without a component would have no error page. */
export default function Restore() {
  return null;
}
