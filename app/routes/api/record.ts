import { z } from "zod";
import { deleteRecord } from "#app/corrections/delete.server.ts";
import { edit } from "#app/corrections/edit.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, parseId, readJson } from "#app/server/api.server.ts";

export const action = api({
  async PATCH({ request, params, context }) {
    const { record } = await edit(context, kindOf(context), parseId(params.id), () => readJson(request, z.unknown()));
    return Response.json(record);
  },

  async DELETE({ params, context }) {
    const kind = kindOf(context);
    await deleteRecord(context, kind, parseId(params.id));
    return Response.json({ message: kind.texts.deleted });
  },
});
