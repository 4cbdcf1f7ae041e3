import { readUserJson } from "#app/accounts/own-password.server.ts";
import { emailChangeMessage, requestEmailChange } from "#app/accounts/request-email-change.server.ts";
import { emailChangeSchema } from "#app/accounts/user.schema.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "none" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    await requestEmailChange(context, await readUserJson(context, request, emailChangeSchema));
    return Response.json({ message: emailChangeMessage(context) });
  },
});
