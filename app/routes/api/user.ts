import { requireUser } from "#app/accounts/access.server.ts";
import { changeDetails } from "#app/accounts/details.server.ts";
import { deleteOwnAccount } from "#app/accounts/own-deletion.server.ts";
import { readUserJson } from "#app/accounts/own-password.server.ts";
import { signOutHeaders } from "#app/accounts/sign-in.server.ts";
import { deletionSchema, detailsChangeSchema } from "#app/accounts/user.schema.ts";
import { api, readJson } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { token: "read" } satisfies RouteHandle;

const calls = api({
  async GET({ context }) {
    const { user } = await requireUser(context);
    return Response.json(user);
  },

  async PATCH({ request, context }) {
    const { user } = await requireUser(context);
    const change = await readJson(request, detailsChangeSchema);
    return Response.json(await changeDetails(context, user, change));
  },

  async DELETE({ request, context }) {
    const { password } = await readUserJson(context, request, deletionSchema);
    await deleteOwnAccount(context, password);
    return Response.json({ message: "Account deleted" }, { headers: await signOutHeaders(context) });
  },
});

export { calls as action, calls as loader };
