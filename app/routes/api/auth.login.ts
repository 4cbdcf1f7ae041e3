import { logIn } from "#app/accounts/accounts.server.ts";
import { sessionCookie } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    const credentials = await readJson(request, credentialsSchema);
    const { user, sessionToken } = await logIn(context, credentials);
    return Response.json(user, { headers: { "Set-Cookie": await sessionCookie(context, sessionToken) } });
  },
});
