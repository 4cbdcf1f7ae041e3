import { requireAdmin } from "#app/accounts/access.server.ts";
import { deleteRecordAsAdmin } from "#app/admin/deletion.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, parseId } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { fresh: true } satisfies RouteHandle;

export const action = api({
  async DELETE({ params, context }) {
    const { user } = await requireAdmin(context);
    const kind = kindOf(context);
    await deleteRecordAsAdmin(context, user.id, kind, parseId(params.id));
    return Response.json({ message: kind.texts.deleted });
  },
});
