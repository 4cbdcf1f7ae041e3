import { logIn } from "#app/accounts/accounts.server.ts";
import { signInHeaders } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", token: "ignored" } satisfies RouteHandle;

export const action = api({
  async POST({ request, context }) {
    const credentials = await readJson(request, credentialsSchema);
    const signedIn = await logIn(context, credentials);
    return Response.json(signedIn.user, { headers: await signInHeaders(context, signedIn) });
  },
});
