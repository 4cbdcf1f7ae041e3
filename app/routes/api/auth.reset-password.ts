import { RESET_REQUESTED, requestReset } from "#app/accounts/reset.server.ts";
import { resetRequestSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    const { email } = await readJson(request, resetRequestSchema);
    await requestReset(context, email);
    return Response.json({ message: RESET_REQUESTED });
  },
});
