import { endToken } from "#app/accounts/api-tokens.server.ts";
import { api, parseId } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

export const action = api({
  async DELETE({ params, context }) {
    await endToken(context, parseId(params.id));
    return Response.json({ message: "Token ended" });
  },
});
