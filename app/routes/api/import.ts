import { z } from "zod";
import { api, parseId, readJson } from "#app/server/api.server.ts";
import { changeImport } from "#app/transfer/change-import.server.ts";
import { undoImport } from "#app/transfer/undo-import.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    return Response.json(await changeImport(context, parseId(params.id), () => readJson(request, z.unknown())));
  },

  async DELETE({ params, context }) {
    return Response.json(await undoImport(context, parseId(params.id)));
  },
});
