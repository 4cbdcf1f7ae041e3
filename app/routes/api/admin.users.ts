import { requireAdmin } from "#app/accounts/access.server.ts";
import { listUsers } from "#app/admin/lists.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const loader = api({
  async GET({ context }) {
    const { users } = await requireAdmin(context, (viewer, db) => ({ users: listUsers(db, viewer) }));
    return Response.json(users);
  },
});
