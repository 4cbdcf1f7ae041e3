import { register } from "#app/accounts/accounts.server.ts";
import { sessionCookie } from "#app/accounts/sign-in.server.ts";
import { registrationSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    const registration = await readJson(request, registrationSchema);
    const { user, sessionToken } = await register(context, registration);
    return Response.json(user, { status: 201, headers: { "Set-Cookie": await sessionCookie(context, sessionToken) } });
  },
});
