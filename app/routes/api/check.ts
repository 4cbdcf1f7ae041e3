import { checkExport } from "#app/proof/check.server.ts";
import { checkJson } from "#app/proof/check-json.server.ts";
import { api } from "#app/server/api.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

const calls = api({
  async GET({ request, params, context }) {
    return Response.json(checkJson(await checkExport(context, params.code ?? "", request.method !== "HEAD")));
  },
});

export { calls as action, calls as loader };
