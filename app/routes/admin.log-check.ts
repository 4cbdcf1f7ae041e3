import { requireAdmin } from "#app/accounts/access.server.ts";
import { requestLogCheck } from "#app/admin/system.server.ts";
import { SYSTEM_PATH } from "#app/admin/view.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";

/** The action of *Check the log*. A GET redirects to the page of the button. */
export const loader = page(async ({ context }) => {
  await requireAdmin(context);
  return redirectTo(context, SYSTEM_PATH);
});

export const action = buttonAction(
  { failed: "Failed to start the check. Please try again.", failureHref: () => SYSTEM_PATH },
  async ({ context }) => {
    await requestLogCheck(context);
    const toast = { kind: "success", title: "The check has started", text: "Its result will stand here." } as const;
    return redirectTo(context, SYSTEM_PATH, { toast });
  },
);
