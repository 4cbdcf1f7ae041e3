import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { requestFlash } from "#app/verification/requests/mail-status.ts";
import { remind } from "#app/verification/requests/remind.server.ts";
import { sendToNewAddress } from "#app/verification/requests/request.server.ts";

/** The action of *Send again* and *Send it to the new address*. A GET redirects to the request. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, `/requests/${parseId(params.id)}`);
});

export const action = buttonAction(
  {
    failed: "Failed to send verification request. Please try again.",
    failureHref: ({ params }) => `/requests/${parseId(params.id)}`,
  },
  async ({ request, params, context }) => {
    const id = parseId(params.id);
    const isMoved = (await readForm(request)).get("to") === "new";
    const sent = await (isMoved ? sendToNewAddress(context, id) : remind(context, id));
    return redirectTo(context, `/requests/${id}`, requestFlash(sent, context.timeZone));
  },
);
