import { requireUser } from "#app/accounts/access.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import { setReminders } from "#app/verification/requests/remind.server.ts";

/** The action that turns a request's reminders on or off. A GET redirects to the request. */
export const loader = page(async ({ params, context }) => {
  await requireUser(context);
  return redirectTo(context, `/requests/${parseId(params.id)}`);
});

export const action = buttonAction(
  {
    failed: "Failed to change the reminders. Please try again.",
    failureHref: ({ params }) => `/requests/${parseId(params.id)}`,
  },
  async ({ request, params, context }) => {
    const id = parseId(params.id);
    const reminders = (await readForm(request)).get("reminders") === "on";
    const { request: stored } = await setReminders(context, id, reminders);
    const title = stored.reminders ? "Reminders are on" : "Reminders are off";
    return redirectTo(context, `/requests/${id}`, { toast: { kind: "success", title } });
  },
);
