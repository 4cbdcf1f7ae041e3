import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { exportCsv } from "#app/transfer/export-csv.server.ts";

export const handle = { heavy: true } satisfies RouteHandle;

export const loader = api({
  GET: ({ request, context }) => exportCsv(context, new URL(request.url).searchParams.get("kind")),
});
