import { logOut, signOutHeaders } from "#app/accounts/sign-in.server.ts";
import { refusalJson } from "#app/errors.ts";
import { api } from "#app/server/api.server.ts";
import { logError } from "#app/server/logger.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

/** Public: logging out without a session succeeds. */
export const handle = { access: "public", token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    try {
      await logOut(context);
      return Response.json({ message: "Logged out successfully" }, { headers: await signOutHeaders(context) });
    } catch (error) {
      logError(error, request);
      return refusalJson({ message: "Logout failed", code: "server_error" });
    }
  },
});
