import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { resendConfirmation } from "#app/accounts/email-confirmation.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { redirectTo } from "#app/server/page.server.ts";

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/account");
}

/** Sends the link again that confirms the address of the account. */
export const action = buttonAction(
  { failed: "Failed to send the link. Please try again.", failureHref: () => "/account" },
  async ({ context }) => {
    const text = await resendConfirmation(context);
    return redirectTo(context, "/account", { toast: { kind: "success", title: "Email address", text } });
  },
);
