import { confirmEmailChange } from "#app/accounts/confirm-email-change.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const action = api({
  async POST({ params, context }) {
    return Response.json(await confirmEmailChange(context, params.token ?? ""));
  },
});
