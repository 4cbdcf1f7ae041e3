import { changePassword, PASSWORD_CHANGED } from "#app/accounts/change-password.server.ts";
import { readUserJson } from "#app/accounts/own-password.server.ts";
import { passwordChangeSchema } from "#app/accounts/user.schema.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    await changePassword(context, await readUserJson(context, request, passwordChangeSchema));
    return Response.json({ message: PASSWORD_CHANGED.title });
  },
});
