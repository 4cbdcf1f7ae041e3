import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { logOut } from "#app/accounts/sign-in.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import type { RouteHandle } from "#app/http/route.ts";

/** Public: logging out without a session is no mistake. */
export const handle = { access: "public" } satisfies RouteHandle;

export async function loader({ context }: ActionFunctionArgs) {
  return redirectTo(context, "/");
}

export async function action({ context }: ActionFunctionArgs) {
  const headers = await logOut(context);
  return redirectTo(context, "/", { toast: { kind: "success", title: "Logged out successfully" } }, headers);
}
