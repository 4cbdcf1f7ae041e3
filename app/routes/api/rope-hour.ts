import { z } from "zod";
import { deleteRecord } from "#app/corrections/delete.server.ts";
import { edit } from "#app/corrections/edit.server.ts";
import { api, parseId, readJson } from "#app/server/api.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    const { record } = await edit(context, "rope_hour", parseId(params.id), () => readJson(request, z.unknown()));
    return Response.json(record);
  },

  async DELETE({ params, context }) {
    await deleteRecord(context, "rope_hour", parseId(params.id));
    return Response.json({ message: "Rope hours deleted" });
  },
});
