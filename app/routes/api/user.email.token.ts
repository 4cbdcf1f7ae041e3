import { confirmEmail } from "#app/accounts/confirm-email.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const action = api({
  async POST({ params, context }) {
    const { user } = await confirmEmail(context, params.token ?? "");
    return Response.json(user);
  },
});
