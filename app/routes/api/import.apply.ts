import { api, parseId } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { applyImport } from "#app/transfer/apply-import.server.ts";

export const handle = { heavy: true } satisfies RouteHandle;

export const action = api({
  async POST({ params, context }) {
    return Response.json(await applyImport(context, parseId(params.id)));
  },
});
