import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import { recordPath } from "#app/records/kind.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { withdrawRequestOfRecord } from "#app/verification/requests/withdraw.server.ts";

/** The action of *Withdraw request* on a record's page. A GET redirects to the record. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, recordPath(kindOf(context), parseId(params.id)));
});

export const action = buttonAction(
  {
    failed: "Failed to withdraw the request. Please try again.",
    failureHref: ({ params, context }) => recordPath(kindOf(context), parseId(params.id)),
  },
  async ({ params, context }) => {
    const [kind, id] = [kindOf(context), parseId(params.id)];
    await withdrawRequestOfRecord(context, kind, id);
    return redirectTo(context, recordPath(kind, id), { toast: WITHDRAWN });
  },
);

const WITHDRAWN: Toast = {
  kind: "success",
  title: "Request withdrawn",
  text: "Its link no longer works.",
};
