import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endToken } from "#app/accounts/api-tokens.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/account");
}

const ENDED: Toast = { kind: "success", title: "Token ended" };

/** Ends the token whose id is `token`. */
export const action = buttonAction(
  {
    failed: () => ({ title: "Failed to end the token", text: "If it is still here, please try again." }),
    failureHref: () => "/account",
    // It may have ended already: after a double tap, or on another device.
    onAppError: ({ status }, _fail, { context }) =>
      status === 404 ? redirectTo(context, "/account", { toast: ENDED }) : undefined,
  },
  async ({ request, context }) => {
    await endToken(context, parseId(String((await readForm(request)).get("token") ?? "")));
    return redirectTo(context, "/account", { toast: ENDED });
  },
);
