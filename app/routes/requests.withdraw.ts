import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { withdrawRequest } from "#app/verification/requests/withdraw.server.ts";

/** The action of *Withdraw request*. A GET redirects to the request. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, `/requests/${parseId(params.id)}`);
});

const WITHDRAWN: Toast = { kind: "success", title: "Request withdrawn", text: "Its link no longer works." };

export const action = buttonAction(
  {
    failed: "Failed to withdraw the request. Please try again.",
    failureHref: ({ params }) => `/requests/${parseId(params.id)}`,
  },
  async ({ params, context }) => {
    const id = parseId(params.id);
    await withdrawRequest(context, id);
    return redirectTo(context, `/requests/${id}`, { toast: WITHDRAWN });
  },
);
