import { RESET_DONE, resetPassword } from "#app/accounts/reset.server.ts";
import { newPasswordSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true, token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, params, context }) {
    const { password } = await readJson(request, newPasswordSchema);
    await resetPassword(context, params.token ?? "", password);
    return Response.json({ message: RESET_DONE.title });
  },
});
