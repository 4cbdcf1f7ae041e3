import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endSessionAndRedirect, logOut } from "#app/accounts/sign-in.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Toast } from "#app/server/flash.ts";
import { idFrom } from "#app/server/id.ts";
import { logError } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Public: logging out without a session is no mistake. */
export const handle = { access: "public" } satisfies RouteHandle;

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/");
}

export async function action({ request, context }: ActionFunctionArgs) {
  try {
    // The page knows whose it is, also where the session has ended before.
    const form = await readForm(request).catch(() => new FormData());
    const userId = (await logOut(context)) ?? idFrom(String(form.get("user")));
    return await endSessionAndRedirect(context, "/", { kind: "success", title: "Logged out successfully" }, userId);
  } catch (error) {
    logError(error, request);
    const toast: Toast = { kind: "error", title: "Error", text: "Failed to log out. Please try again." };
    return redirectTo(context, "/profile", { toast });
  }
}
