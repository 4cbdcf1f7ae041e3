import { endOwnSession } from "#app/accounts/own-sessions.server.ts";
import { signOutHeaders } from "#app/accounts/sign-in.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

export const action = api({
  async DELETE({ params, context }) {
    const wasCurrent = await endOwnSession(context, params.reference ?? "");
    return Response.json({ message: "Session ended" }, wasCurrent ? { headers: await signOutHeaders(context) } : {});
  },
});
