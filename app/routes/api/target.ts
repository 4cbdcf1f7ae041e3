import { z } from "zod";
import { changeTarget, deleteTarget } from "#app/certification/own-targets.server.ts";
import { shownTarget } from "#app/certification/shown-target.ts";
import { api, parseId, readJson } from "#app/server/api.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    const target = await changeTarget(context, parseId(params.id), () => readJson(request, z.unknown()));
    return Response.json(shownTarget(target));
  },

  async DELETE({ params, context }) {
    await deleteTarget(context, parseId(params.id));
    return Response.json({ message: "Target deleted" });
  },
});
