import { resendConfirmation } from "#app/accounts/email-confirmation.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

export const action = api({
  async POST({ context }) {
    return Response.json({ message: await resendConfirmation(context) });
  },
});
