import { requireAdmin } from "#app/accounts/access.server.ts";
import { listUsers } from "#app/admin/lists.server.ts";
import { api } from "#app/server/api.server.ts";
import { ADMIN_LIST_MAX, answerList, idListSchema } from "#app/server/list.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const loader = api({
  GET: ({ request, context }) =>
    answerList(
      { request, context },
      {
        schema: idListSchema(ADMIN_LIST_MAX),
        access: requireAdmin,
        read: async ({ before = null, limit }) => {
          const { users } = await requireAdmin(context, (viewer, db) => ({
            users: listUsers(db, viewer, { before, limit }),
          }));
          return users;
        },
        cursorOf: ({ id }) => id,
      },
    ),
});
