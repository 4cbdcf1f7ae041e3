import { restoreRecord } from "#app/corrections/delete.server.ts";
import { kindOf } from "#app/records/kinds.ts";
import { api, parseId } from "#app/server/api.server.ts";

export const action = api({
  async POST({ params, context }) {
    return Response.json(await restoreRecord(context, kindOf(context), parseId(params.id)));
  },
});
