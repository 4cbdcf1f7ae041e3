import { exportList } from "#app/admin/export-list.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, fresh: true } satisfies RouteHandle;

export const loader = api({
  GET: ({ request, context }) => exportList(context, new URL(request.url)),
});
