import { requireAdmin } from "#app/accounts/access.server.ts";
import { deleteUser } from "#app/admin/deletion.server.ts";
import { api, parseId } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const action = api({
  async DELETE({ params, context }) {
    const { user } = await requireAdmin(context);
    await deleteUser(context, user.id, parseId(params.id));
    return Response.json({ message: "User deleted" });
  },
});
