import { z } from "zod";
import { api, idFrom, readJson } from "#app/server/api.server.ts";
import { changeSupervisor, deleteSupervisor } from "#app/supervisors/own-supervisors.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    return Response.json(await changeSupervisor(context, idFrom(params.id), () => readJson(request, z.unknown())));
  },

  async DELETE({ params, context }) {
    await deleteSupervisor(context, idFrom(params.id));
    return Response.json({ message: "Supervisor deleted" });
  },
});
