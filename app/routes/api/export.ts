import { closeExport } from "#app/proof/own-exports.server.ts";
import { api, parseId } from "#app/server/api.server.ts";

const calls = api({
  async DELETE({ params, context }) {
    return Response.json(await closeExport(context, parseId(params.id)));
  },
});

export { calls as action, calls as loader };
