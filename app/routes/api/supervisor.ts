import { z } from "zod";
import { api, parseId, readJson } from "#app/server/api.server.ts";
import { changeSupervisor, deleteSupervisor } from "#app/supervisors/own-supervisors.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    return Response.json(await changeSupervisor(context, parseId(params.id), () => readJson(request, z.unknown())));
  },

  async DELETE({ params, context }) {
    await deleteSupervisor(context, parseId(params.id));
    return Response.json({ message: "Supervisor deleted" });
  },
});
