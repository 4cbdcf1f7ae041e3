import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endOtherSessions, endOwnSession } from "#app/accounts/own-sessions.server.ts";
import { endSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { redirectTo } from "#app/server/page.server.ts";

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/account");
}

const ENDED: Toast = { kind: "success", title: "Session ended" };

/** Ends a session: `session` is its reference, or `others`. */
export const action = buttonAction(
  {
    failed: () => ({ title: "Failed to end the session", text: "If it is still here, please try again." }),
    failureHref: () => "/account",
    // A session may have ended already: after a double tap, or on another device.
    onAppError: ({ status }, _fail, { context }) =>
      status === 404 ? redirectTo(context, "/account", { toast: ENDED }) : undefined,
  },
  async ({ request, context }) => {
    const reference = String((await readForm(request)).get("session") ?? "");
    if (reference === "others") {
      await endOtherSessions(context);
      return redirectTo(context, "/account", { toast: { kind: "success", title: "Other sessions ended" } });
    }
    const isCurrent = await endOwnSession(context, reference);
    return isCurrent
      ? endSessionAndRedirect(context, "/auth", ENDED, context.visit.userId)
      : redirectTo(context, "/account", { toast: ENDED });
  },
);
