import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endSessionAndRedirect, logOut } from "#app/accounts/sign-in.server.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Public: logging out without a session succeeds. */
export const handle = { access: "public" } satisfies RouteHandle;

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/");
}

export const action = buttonAction(
  { failed: "Failed to log out. Please try again.", failureHref: () => "/profile" },
  async ({ request, context }) => {
    // From the form, because the session may have ended before.
    const form = await readForm(request).catch(() => new FormData());
    const userId = (await logOut(context)) ?? parseId(String(form.get("user")));
    return endSessionAndRedirect(context, "/", { kind: "success", title: "Logged out successfully" }, userId);
  },
);
